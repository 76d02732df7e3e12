import { SourceFailure } from './source-failure.ts'

/** Answers are untrusted: every field is read with its type. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
/** What a listing contains: without it, everything would look deleted. */
export function required(value: unknown): unknown[] {
  if (!Array.isArray(value))
    throw new SourceFailure('try_again', 'The service answered with something unexpected')
  return value
}

export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null
export const number = (value: unknown): number | null => (typeof value === 'number' ? value : null)

export async function* bytesOf(value: string): AsyncIterable<Uint8Array> {
  if (value !== '') yield Buffer.from(value)
}
