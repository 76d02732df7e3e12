import { Script } from 'node:vm'
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

/** Compiles and never runs it: workflows evaluate conditions in the sandbox. */
export function checkCondition(condition: string | null | undefined, field: string): void {
  if (condition === null || condition === undefined) return
  // Brackets of two kinds refuse text that closes one, such as `1); while (true) (2`.
  const fault = faultIn(condition, '(', ')') ?? faultIn(condition, '[', ']')
  if (fault) throw badField(field, `is not a JavaScript expression: ${fault}`)
}

function faultIn(condition: string, open: string, close: string): string | null {
  try {
    new Script(`${open}${condition}\n${close}`, { filename: FILE, columnOffset: -open.length })
    return null
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${error.message}${placeOf(error.stack ?? '', condition)}`
  }
}

const FILE = 'condition'

/** The stack begins with the line, its text and a marker below the fault. */
function placeOf(stack: string, condition: string): string {
  const [head = '', text = '', marker = ''] = stack.split('\n')
  const line = Number(head.match(/^condition:(\d+)$/)?.[1])
  if (!(line >= 1)) return ''
  const opened = line === 1 ? 1 : 0
  const lines = condition.split('\n')
  if (line > lines.length || text.length - opened > (lines[line - 1]?.length ?? 0) + 1) return ' at its end'
  return ` at line ${line}, column ${Math.max(1, marker.indexOf('^') + 1 - opened)}`
}
