const BYTES_MAX = 32_768
const DEPTH_MAX = 12

type Read = { value: Record<string, unknown>; problem?: undefined } | { value?: undefined; problem: string }

/** What a text says as metadata, or what is wrong with it, as the server would judge. */
export function readMetadata(text: string): Read {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `This is not JSON yet: ${where(text, error)}` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'It has to be an object, such as { "team": "growth" }' }
  }
  if (depthOf(value) > DEPTH_MAX) return { problem: `It is nested more than ${DEPTH_MAX} levels deep` }
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length
  if (bytes > BYTES_MAX) {
    const over = (bytes - BYTES_MAX).toLocaleString('en')
    return { problem: `It has ${over} bytes more than the ${BYTES_MAX.toLocaleString('en')} it may have` }
  }
  return { value: value as Record<string, unknown> }
}

/** Browsers word it each in their own way, and name the place more often than not. */
function where(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  const position = /position (\d+)/.exec(message)?.[1]
  if (position === undefined) return 'check the quotes, commas and brackets'
  const before = text.slice(0, Number(position)).split('\n')
  return `look at line ${before.length}, column ${before.at(-1)!.length + 1}`
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
