import { toStorable } from '../engine/storable.ts'

/** A larger output of a tool becomes a file: it would fill the context and the row. */
export const OUTPUT_BYTES_MAX = 65_536
const HEAD_CHARACTERS = 6000
const TAIL_CHARACTERS = 2000

export type FittedOutput = { output: unknown; overflow: null } | { output: null; overflow: Overflow }

export interface Overflow {
  text: string
  bytes: number
  head: string
  tail: string
}

/** The output as it is stored and sent, or the content of a file for it. */
export function fitOutput(value: unknown): FittedOutput {
  const output = toStorable(value ?? null)
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2)
  const bytes = Buffer.byteLength(text)
  if (bytes <= OUTPUT_BYTES_MAX) return { output, overflow: null }
  const head = text.slice(0, HEAD_CHARACTERS).toWellFormed()
  const tail = text.slice(-TAIL_CHARACTERS).toWellFormed()
  return { output: null, overflow: { text, bytes, head, tail } }
}
