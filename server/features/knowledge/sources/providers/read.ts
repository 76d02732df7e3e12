/** Answers are untrusted: every field is read with its type. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null
export const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export async function* bytesOf(value: string): AsyncIterable<Uint8Array> {
  if (value !== '') yield Buffer.from(value)
}
