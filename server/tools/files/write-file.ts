import { z } from 'zod'
import { fileTexts } from '../../../contract/files/file-texts.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { findFolder } from './file-refs.ts'

const input = z.strictObject({
  project: projectInput,
  folder: z.string().max(2000).optional().describe('Id or path; default: the project folder'),
  name: z.string().min(1).max(255).describe('With an extension, such as report.md'),
  text: z.string(),
})

export const writeFile: Tool<z.output<typeof input>> = {
  name: 'write_file',
  description:
    'Write a text file. A file with the same name in the folder gets the new text; its previous text becomes a version.',
  input,
  // Bytes are stored before the record's transaction. The key makes a repetition harmless.
  effect: 'idempotent',
  risk: 'none',
  summarize: ({ folder, name }) => textWithNames`Write the file ${folder ? `${folder}/${name}` : name}`,
  async run(call, { project: ref, folder, name, text }) {
    const project = await resolveProject(call, ref)
    const parentId = await findFolder(call, project, folder, 'folder')
    const body = { name, text, parentId, replace: true }
    const { idempotencyKey } = call
    const file = await callEndpoint(call, fileTexts.write, { body, idempotencyKey })
    return { id: file.id, name: file.name, mimeType: file.mimeType, size: file.size }
  },
}
