const DEPTH_MAX = 6
const MESSAGE_MAX = 500

/** An error, then the errors that it wraps: its causes, and the last error of several attempts. Providers also send strings. */
export function errorChain(error: unknown): unknown[] {
  const chain: unknown[] = []
  let next: unknown = error
  while (next !== undefined && next !== null && chain.length < DEPTH_MAX) {
    chain.push(next)
    next = fieldOf(next, 'lastError') ?? fieldOf(next, 'cause')
  }
  return chain
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

export function statusOf(chain: unknown[]): number | null {
  const status = chain
    .flatMap((error) => [fieldOf(error, 'statusCode'), fieldOf(error, 'code'), fieldOf(error, 'status')])
    .find((value) => typeof value === 'number' && value >= 300 && value <= 599)
  return (status as number | undefined) ?? null
}

/** The texts of an error that identify its kind: names, types, codes, messages, and the body of the response. */
export const hintsIn = (chain: unknown[]): string =>
  chain
    .flatMap((error) => [
      ...(typeof error === 'string' ? [error] : []),
      ...['name', 'type', 'code', 'status', 'message', 'responseBody'].map((name) => fieldOf(error, name)),
    ])
    .filter((value) => typeof value === 'string')
    .join('\n')

/** The first message in a chain, on one line, without text that looks like a key. */
export function messageOf(chain: unknown[]): string {
  const message = chain
    .map((error) => (typeof error === 'string' ? error : fieldOf(error, 'message')))
    .find((value): value is string => typeof value === 'string' && value !== '')
  const line = (message ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\b(sk|gsk|pk|key|xai|AIza)[-_]?[\w*.-]{12,}/g, '[redacted]')
    .trim()
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX).toWellFormed()}…` : line
}
