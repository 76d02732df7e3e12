import { Script } from 'node:vm'
import { badField } from '../../../../errors.ts'

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
