import type { ApiError } from '../errors.ts'
import { clip } from '../tools/clip.ts'
import { errorText } from './error-text.ts'

export interface ToolResult {
  [name: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** More would fill the context of the client. */
const OUTPUT_BYTES_MAX = 65_536

/** The output as data, and as text for clients that pass on text only. */
export function toolResult(output: unknown): ToolResult {
  const data = isObject(output) ? output : { result: output }
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) <= OUTPUT_BYTES_MAX)
    return { content: [{ type: 'text', text }], structuredContent: data }
  const cut = {
    note: `The output has ${text.length} characters, which is too long: this is its beginning. Ask for less, with a limit or a filter`,
    beginning: clip(text, OUTPUT_BYTES_MAX / 2).text,
  }
  return { content: [{ type: 'text', text: JSON.stringify(cut) }], structuredContent: cut }
}

export const toolError = (error: ApiError, requestId: string): ToolResult => ({
  content: [{ type: 'text', text: errorText(error, requestId) }],
  isError: true,
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
