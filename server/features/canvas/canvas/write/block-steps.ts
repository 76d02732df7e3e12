import { BlockStep, ForEach } from '../../../../../contract/canvas/block-steps.ts'
import { badField } from '../../../../errors.ts'

/** A workflow reads these, so they must be complete. */
export function checkBlockSteps(metadata: Record<string, unknown>, field: string): void {
  for (const [key, schema] of [['step', BlockStep] as const, ['forEach', ForEach] as const]) {
    if (!isSet(metadata[key])) continue
    const [issue] = schema.safeParse(metadata[key]).error?.issues ?? []
    if (issue) throw badField([field, 'metadata', key, ...issue.path].join('.'), issue.message)
  }
  const step = metadata.step as { type: string } | null | undefined
  if (step && step.type !== 'code' && isSet(metadata.forEach))
    throw badField(`${field}.metadata.forEach`, `must not be set for a ${step.type}`)
}

const isSet = (value: unknown) => value !== undefined && value !== null
