import type { Outbound } from '../outbound/outbound.ts'

export interface TokenEndpoint {
  url: string
  client: { id: string; secret: string }
  clientAuth: 'post' | 'basic'
  body: 'form' | 'json'
  /** For errors with status 200. Null for any other response. */
  errorCodeOf?: (answer: unknown) => string | null
}

export type TokenResponse = { ok: true; answer: unknown } | ({ ok: false } & TokenFailure)

export interface TokenFailure {
  /**
   * `refused`: the provider rejects the code or token. `client`: it rejects this server's client. `transient`: nothing
   * is known about either.
   */
  kind: 'refused' | 'client' | 'transient'
  code: string | null
}

const LIMITS = { timeoutMs: 20_000, bytesMax: 1_048_576 }
const CLIENT_ERRORS = [
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'bad_client_secret',
]
const TRANSIENT_ERRORS = [
  'server_error',
  'temporarily_unavailable',
  'slow_down',
  'ratelimited',
  'rate_limited',
]
const REFUSING_STATUSES = [400, 401, 403]

/**
 * Several providers deviate from RFC 6749 in ways openid-client can't express: JSON bodies, errors with status 200, no
 * `token_type`. Follows no redirects. The result contains no provider text, which can repeat secrets.
 */
export async function requestTokens(
  outbound: Outbound,
  endpoint: TokenEndpoint,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const outcome = await outbound.request({
    method: 'POST',
    url: endpoint.url,
    ...buildTokenMessage(endpoint, parameters),
    ...LIMITS,
  })
  if (outcome.kind === 'failure') return { ok: false, kind: 'transient', code: null }
  const { status, body } = outcome.response
  const answer = parse(body.toString('utf8'))
  const code = codeOf(answer) ?? endpoint.errorCodeOf?.(answer) ?? null
  if (status < 300 && code === null && answer !== null) return { ok: true, answer }
  return { ok: false, kind: kindOf(status, code), code }
}

export function buildTokenMessage(
  { client, clientAuth, body }: Pick<TokenEndpoint, 'client' | 'clientAuth' | 'body'>,
  parameters: Readonly<Record<string, string>>,
): { headers: Record<string, string>; body: string } {
  const isBasic = clientAuth === 'basic'
  const fields = isBasic ? parameters : { ...parameters, client_id: client.id, client_secret: client.secret }
  return {
    headers: {
      accept: 'application/json',
      'content-type': body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: basicAuthorization(client) }),
    },
    body: body === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  }
}

export const basicAuthorization = ({ id, secret }: TokenEndpoint['client']) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

function kindOf(status: number, code: string | null): TokenFailure['kind'] {
  if (code !== null && CLIENT_ERRORS.includes(code)) return 'client'
  if (code !== null && TRANSIENT_ERRORS.includes(code)) return 'transient'
  if (code !== null && status < 300) return 'refused'
  return REFUSING_STATUSES.includes(status) ? 'refused' : 'transient'
}

/** Some providers respond with a form. Null if neither parses. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return /^[\w.-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : null
  }
}

/** RFC 6749's `error`, or the code inside it if it's an object. */
function codeOf(answer: unknown): string | null {
  const { error } = (answer ?? {}) as { error?: unknown }
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : error
  if (code === undefined || code === null) return null
  return typeof code === 'string' && /^[\w.:-]{1,80}$/.test(code) ? code : 'unknown_error'
}
