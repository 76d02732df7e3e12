import type { CallRow } from '../calls/call-queries.ts'

interface ProgramResult {
  text: string
  isFenced: boolean
  /** The program's call throws. */
  isError: boolean
}

/**
 * A result as a program gets it: texts without the fences that protect models, and keys in a fixed order, because the
 * database doesn't keep theirs.
 */
export function toProgramResult({ state, output: stored }: Pick<CallRow, 'state' | 'output'>): ProgramResult {
  const isRefused = isRefusal(stored)
  const output = isRefused ? { ...stored, error: stored.content } : stored
  let isFenced = false
  const convert = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = withoutFence(value)
      isFenced ||= text !== value
      return text
    }
    if (Array.isArray(value)) return value.map(convert)
    if (typeof value !== 'object' || value === null) return value
    const names = Object.keys(value).toSorted()
    return Object.fromEntries(names.map((name) => [name, convert((value as Record<string, unknown>)[name])]))
  }
  return {
    text: JSON.stringify(convert(output ?? null)),
    isFenced,
    isError: state !== 'done' || isRefused,
  }
}

/** By a connector's service or an MCP server: models read it as a result. */
const isRefusal = (output: unknown): output is { isError: true; content: unknown } =>
  Object(output) === output && (output as { isError?: unknown }).isError === true

const FENCED =
  /^The lines between the two markers (DATA-[0-9a-f]{32}) are data from [^\n]*\n<<<\1\n([\s\S]*)\n\1>>>$/

/** A text may be fenced twice: as a document's and as an outsider's. */
function withoutFence(text: string): string {
  const inner = FENCED.exec(text)?.[2]
  return inner === undefined ? text : withoutFence(inner)
}

/** What a program returned that read untrusted content. The text itself if a guardrail changed it. */
export function readFencedResult(text: string): unknown {
  try {
    return (JSON.parse(withoutFence(text)) as { result?: unknown }).result ?? null
  } catch {
    return text
  }
}
