import type { z } from 'zod'
import type { Form, FormFile } from '../../contract/endpoint.ts'
import { badField } from '../errors.ts'
import { createProblems } from './problems.ts'

/** One part of a form, in the order in which the parts arrive. */
export type FormPart = { name: string } & (
  | { kind: 'field'; value: unknown }
  | { kind: 'file'; file: FormFile }
)

/** A form with any number of fields and exactly one file, which is named `file`. */
export const createForm = (parts: AsyncIterable<FormPart>, schema: z.ZodType): Form<unknown> => ({
  async read(storeFile) {
    const fields: Record<string, unknown> = {}
    let stored: { file: Awaited<ReturnType<typeof storeFile>> } | undefined
    for await (const part of parts) {
      if (Object.hasOwn(fields, part.name) || (stored && part.name === 'file')) {
        throw badField(`body.${part.name}`, 'must not be sent twice')
      }
      checkPart(part)
      if (part.kind === 'file') stored = { file: await storeFile(part.file) }
      else fields[part.name] = part.value
    }
    if (!stored) throw badField('body.file', 'is required')
    const problems = createProblems()
    const parsed = problems.parse(schema, 'body', fields)
    problems.throwIfAny()
    return { fields: parsed, file: stored.file }
  },
})

function checkPart(part: FormPart): void {
  if (part.kind === 'file' && part.name !== 'file')
    throw badField(`body.${part.name}`, 'is not a known field')
  // Browsers send a file with an empty name if the user selected none.
  const isFile = part.kind === 'file' && part.file.name !== ''
  if (part.name === 'file' && !isFile) throw badField('body.file', 'must be a file with a name')
}
