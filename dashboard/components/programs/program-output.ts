/** How a program ended. */
export interface ProgramEnd {
  /** Undefined if it returned nothing yet. */
  result?: unknown
  error?: string
  /** Of the source, from 1. */
  line?: number
  /** The program has read untrusted content, so the model gets this as data. */
  isUntrusted: boolean
}

const FENCED = /^[^\n]*\n<<<(?<boundary>DATA-[0-9a-f]{32})\n(?<text>[\s\S]*)\n\k<boundary>>>>$/
const WITH_LINE = /^(?<message>[\s\S]*) \(line (?<line>\d{1,6})\)$/

/** Of a `run_code` call's output. Null for one of another form, such as a long one, which is in a file. */
export function readProgramEnd(output: unknown): ProgramEnd | null {
  const { data } = Object(output) as { data?: unknown }
  const text = typeof data === 'string' ? FENCED.exec(data)?.groups?.text : undefined
  const plain = text === undefined ? output : parse(text)
  if (typeof plain !== 'object' || plain === null) return null
  const isUntrusted = text !== undefined
  if ('error' in plain && typeof plain.error === 'string') {
    const { message = plain.error, line } = WITH_LINE.exec(plain.error)?.groups ?? {}
    return { error: message, isUntrusted, ...(line && { line: Number(line) }) }
  }
  return 'result' in plain ? { result: plain.result, isUntrusted } : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
