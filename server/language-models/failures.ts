type FailureKind =
  | 'rate_limited'
  | 'overloaded'
  | 'unreachable'
  | 'interrupted'
  | 'timed_out'
  | 'context_too_long'
  | 'rejected_key'
  | 'no_credit'
  | 'unknown_model'
  | 'invalid_request'
  | 'refused'
  | 'canceled'

export interface ModelFailure {
  kind: FailureKind
  /** Otherwise another model or a shorter prompt may help. */
  isRetryable: boolean
  /** Requested by the provider, at most an hour. Null if absent. */
  retryAfterMs: number | null
  /** Null without a response and for errors inside a stream. */
  status: number | null
  /** Shown to members. Contains no key. */
  message: string
}

const RETRYABLE: readonly FailureKind[] = [
  'rate_limited',
  'overloaded',
  'unreachable',
  'interrupted',
  'timed_out',
]

/** From `error` parts or a stream's iterator. */
export function classifyFailure(error: unknown): ModelFailure {
  const chain = errorChain(error)
  const status = statusOf(chain)
  const kind = kindOf(chain, status)
  return {
    kind,
    isRetryable: RETRYABLE.includes(kind),
    retryAfterMs: RETRYABLE.includes(kind) ? retryAfterMsOf(chain) : null,
    status,
    message: describe(kind, status, messageOf(chain)),
  }
}

function kindOf(chain: unknown[], status: number | null): FailureKind {
  const names = chain.map((error) => fieldOf(error, 'name'))
  if (names.includes('TimeoutError') || names.includes('AI_RetryTimeoutError')) return 'timed_out'
  if (names.includes('AbortError') || names.includes('ResponseAborted')) return 'canceled'
  const hints = hintsIn(chain)
  if (isContextTooLong(hints, status)) return 'context_too_long'
  if (status === 402 || NO_CREDIT.test(hints)) return 'no_credit'
  if (status === 401 || status === 403) return REFUSED.test(hints) ? 'refused' : 'rejected_key'
  if (status === 429) return 'rate_limited'
  if (status === 404) return 'unknown_model'
  if (status !== null && (status >= 500 || TEMPORARY_STATUSES.includes(status))) return 'overloaded'
  if (status !== null && status >= 300) return REFUSED.test(hints) ? 'refused' : 'invalid_request'
  return kindByHints(hints, chain)
}

function kindByHints(hints: string, chain: unknown[]): FailureKind {
  if (/rate.?limit|too_many_requests|resource_exhausted/i.test(hints)) return 'rate_limited'
  if (/overloaded|unavailable|internal|server_error|api_error|timeout_error/i.test(hints)) return 'overloaded'
  if (/authentication_error|permission_error|invalid_api_key|unauthenticated/i.test(hints))
    return 'rejected_key'
  if (/not_found_error|model_not_found/i.test(hints)) return 'unknown_model'
  if (REFUSED.test(hints)) return 'refused'
  if (/non-public|must be a public URL/.test(hints)) return 'invalid_request'
  if (
    /invalid_request|invalid_argument|AI_(InvalidPrompt|InvalidArgument|UnsupportedFunctionality)/i.test(
      hints,
    )
  ) {
    return 'invalid_request'
  }
  if (
    chain.some((error) => UNREACHABLE.test(String(fieldOf(error, 'code')))) ||
    /does not resolve/.test(hints)
  ) {
    return 'unreachable'
  }
  // Anything else broke a running stream.
  return 'interrupted'
}

function isContextTooLong(hints: string, status: number | null): boolean {
  if (status !== null && ![400, 413, 422, 500].includes(status)) return false
  return CONTEXT_TOO_LONG.test(hints)
}

const TEMPORARY_STATUSES = [408, 409, 425]
const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/
const NO_CREDIT =
  /insufficient_quota|credit balance is too low|insufficient (credits|balance|funds)|billing_error/i
const REFUSED =
  /content_policy|content_filter|content management policy|moderation|flagged|prohibited_content/i
const CONTEXT_TOO_LONG = new RegExp(
  [
    'context_length_exceeded',
    'exceed_context_size',
    'request_too_large',
    'prompt is too long',
    'maximum context length',
    'context (length|window|size)\\b.{0,80}\\b(exceed|overflow|limit|small)',
    'exceeds?\\b.{0,60}\\bcontext (length|window|size)',
    'input token count.{0,60}exceeds',
    'input is too long',
    'too many (input )?tokens in (the )?(prompt|request)',
    'reduce the length of the (messages|input|prompt)',
  ].join('|'),
  'i',
)

const DESCRIPTIONS: Record<FailureKind, string> = {
  rate_limited: 'The provider is limiting requests',
  overloaded: 'The provider is overloaded',
  unreachable: 'The provider is unreachable',
  interrupted: 'The provider’s response broke off',
  timed_out: 'The provider did not respond in time',
  context_too_long: 'The conversation is longer than the model’s context window',
  rejected_key: 'The provider rejected the API key',
  no_credit: 'The provider account has no credit left',
  unknown_model: 'The provider has no such model, or the key has no access to it',
  invalid_request: 'The provider rejected the request',
  refused: 'The provider refused the content',
  canceled: 'The call was canceled',
}

/** Their words come from Atrium or the network. */
const UNSPOKEN: readonly FailureKind[] = ['unreachable', 'interrupted', 'timed_out', 'canceled']
/** A rejected key's may repeat the key. */
const UNQUOTED: readonly FailureKind[] = [...UNSPOKEN, 'rejected_key']

function describe(kind: FailureKind, status: number | null, words: string): string {
  const isInternal = kind === 'overloaded' && status !== null && ![503, 529].includes(status)
  const description = isInternal ? 'The provider had an internal error' : DESCRIPTIONS[kind]
  const withStatus = status === null ? description : `${description} (HTTP ${status})`
  return UNQUOTED.includes(kind) || !words ? withStatus : `${withStatus}: ${words}`
}

const DEPTH_MAX = 6
const MESSAGE_MAX = 500

/** Follows causes and the last of several attempts. Providers also send strings. */
function errorChain(error: unknown): unknown[] {
  const chain: unknown[] = []
  let next: unknown = error
  while (next !== undefined && next !== null && chain.length < DEPTH_MAX) {
    chain.push(next)
    next = fieldOf(next, 'lastError') ?? fieldOf(next, 'cause')
  }
  return chain
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function statusOf(chain: unknown[]): number | null {
  const status = chain
    .flatMap((error) => [fieldOf(error, 'statusCode'), fieldOf(error, 'code'), fieldOf(error, 'status')])
    .find((value) => typeof value === 'number' && value >= 300 && value <= 599)
  return (status as number | undefined) ?? null
}

const hintsIn = (chain: unknown[]): string =>
  chain
    .flatMap((error) => [
      ...(typeof error === 'string' ? [error] : []),
      ...['name', 'type', 'code', 'status', 'message', 'responseBody'].map((name) => fieldOf(error, name)),
    ])
    .filter((value) => typeof value === 'string')
    .join('\n')

/** The provider's own words, without anything that looks like a key. Null if it said nothing. */
export function failureWords(error: unknown): string | null {
  const isSpoken = !UNSPOKEN.includes(classifyFailure(error).kind)
  return (isSpoken && messageOf(errorChain(error))) || null
}

/** One line, without anything that looks like a key. */
function messageOf(chain: unknown[]): string {
  const message = chain
    .map((error) => (typeof error === 'string' ? error : fieldOf(error, 'message')))
    .find((value): value is string => typeof value === 'string' && value !== '')
  return toLine(message ?? '')
}

export function toLine(message: string): string {
  const line = message
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\p{Bidi_Control}+/gu, '')
    .replace(/\b(sk|gsk|pk|key|xai|AIza)[-_]?[\w*.-]{12,}/g, '[redacted]')
    .trim()
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX).toWellFormed()}…` : line
}

const RETRY_AFTER_MAX_MS = 3_600_000
const SECOND_MS = 1000

function retryAfterMsOf(chain: unknown[], now = Date.now()): number | null {
  for (const error of chain) {
    const headers = fieldOf(error, 'responseHeaders') as Record<string, string> | undefined
    const waitMs =
      numberOf(headers?.['retry-after-ms']) ??
      headerMs(headers?.['retry-after'], now) ??
      googleDelayMs(fieldOf(error, 'responseBody'))
    if (waitMs !== null) return Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS)
  }
  return null
}

/** Seconds or a date (RFC 9110). */
function headerMs(value: string | undefined, now: number): number | null {
  const seconds = numberOf(value)
  if (seconds !== null) return Math.ceil(seconds * SECOND_MS)
  const date = value === undefined ? Number.NaN : Date.parse(value)
  return Number.isNaN(date) ? null : date - now
}

const numberOf = (value: string | undefined): number | null =>
  value !== undefined && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null

/** `"retryDelay": "34.07s"` in the error details. */
function googleDelayMs(body: unknown): number | null {
  const delay = typeof body === 'string' ? /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body) : null
  return delay ? Math.ceil(Number(delay[1]) * SECOND_MS) : null
}
