import { LOCALE, t } from '../../../../../contract/text.ts'

const BYTES_MAX = 32_768
const DEPTH_MAX = 12

type ParseResult =
  | { value: Record<string, unknown>; error?: undefined }
  | { value?: undefined; error: string }

/** Applies the server's limits. */
export function parseMetadata(text: string): ParseResult {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return { error: t`Invalid JSON: ${errorPosition(text, cause)}` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: t`Must be an object, for example ${'{ "team": "growth" }'}` }
  }
  if (depthOf(value) > DEPTH_MAX) return { error: t`Nested more than ${DEPTH_MAX} levels deep` }
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length
  if (bytes > BYTES_MAX) {
    const over = (bytes - BYTES_MAX).toLocaleString(LOCALE)
    return { error: t`${over} bytes over the ${BYTES_MAX.toLocaleString(LOCALE)} limit` }
  }
  return { value: value as Record<string, unknown> }
}

/** Browsers word the message differently, but most include the position. */
function errorPosition(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const position = /position (\d+)/.exec(message)?.[1]
  if (position === undefined) return t`check quotes, commas and brackets`
  const before = text.slice(0, Number(position)).split('\n')
  return t`line ${before.length}, column ${before.at(-1)!.length + 1}`
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
