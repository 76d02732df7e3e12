import { dictionary } from '../../../../contract/dictionary.ts'
import { style } from '../../../terminal.ts'
import { shorten } from './labels.ts'

const TARGET_COLUMNS = 60
const ERROR_COLUMNS = 160

type Format = Parameters<typeof style>[0]

const MARKS: Record<string, [mark: string, format: Format]> = dictionary({
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  denied: ['✗', 'yellow'],
  canceled: ['–', 'dim'],
  unknown: ['?', 'yellow'],
})

interface EndedCall {
  tool: string
  input: unknown
  state: string
  output: unknown
  /** Empty if unknown. */
  duration: string
}

export function callLine(
  { tool, input, state, output, duration }: EndedCall,
  stream: NodeJS.WriteStream,
): string {
  const [mark, format] = MARKS[state] ?? ['…', 'dim']
  const parts = [style(format, mark, stream), shorten(tool, TARGET_COLUMNS), summarizeInput(input)]
  if (state !== 'done') parts.push(style(format, state, stream), errorOf(output))
  if (duration !== '') parts.push(style('dim', duration, stream))
  return `  ${parts.filter((part) => part !== '').join('  ')}`
}

/** Shows texts, list lengths, numbers and flags; no objects. */
export function summarizeInput(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const parts = Object.entries(input).flatMap(([name, value]): string[] => {
    if (typeof value === 'string') return value.trim() === '' ? [] : [value.replaceAll(/\s+/g, ' ')]
    if (Array.isArray(value)) return value.length === 0 ? [] : [`${name} ${value.length}`]
    if (typeof value === 'number' || value === true) return [`${name} ${value}`]
    return []
  })
  return shorten(parts.join(', '), TARGET_COLUMNS)
}

function errorOf(output: unknown): string {
  const error = (output as { error?: unknown } | null)?.error
  return typeof error === 'string' ? shorten(error, ERROR_COLUMNS) : ''
}
