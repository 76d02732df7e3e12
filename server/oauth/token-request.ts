import type { Outbound } from '../outbound/outbound.ts'

/** The token endpoint of a provider, with the registration of this server. */
export interface TokenEndpoint {
  url: string
  client: { id: string; secret: string }
  clientAuth: 'post' | 'basic'
  body: 'form' | 'json'
  /** The error code of a response with status 200 that is an error; null for any other response. */
  errorCodeOf?: (answer: unknown) => string | null
}

export type TokenResponse = { ok: true; answer: unknown } | ({ ok: false } & TokenFailure)

export interface TokenFailure {
  /**
   * `refused`: the provider does not accept the code or the token. `client`: it does not accept the client of this server.
   * `transient`: nothing is known about either.
   */
  kind: 'refused' | 'client' | 'transient'
  /** The provider's own code. */
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
 * One request to a token endpoint, for codes and for refresh tokens. Several providers differ from RFC 6749 in ways that
 * openid-client cannot express: JSON bodies, errors with status 200, answers without `token_type`. Redirects are not
 * followed. No text of the provider is part of the result, as it can repeat secrets of the request.
 */
export async function requestTokens(
  outbound: Outbound,
  endpoint: TokenEndpoint,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenResponse> {
  const outcome = await outbound.request({
    method: 'POST',
    url: endpoint.url,
    ...messageOf(endpoint, parameters),
    ...LIMITS,
  })
  if (outcome.kind === 'failure') return { ok: false, kind: 'transient', code: null }
  const { status, body } = outcome.response
  const answer = parse(body.toString('utf8'))
  const code = codeOf(answer) ?? endpoint.errorCodeOf?.(answer) ?? null
  if (status < 300 && code === null && answer !== null) return { ok: true, answer }
  return { ok: false, kind: kindOf(status, code), code }
}

export function messageOf(
  { client, clientAuth, body }: Pick<TokenEndpoint, 'client' | 'clientAuth' | 'body'>,
  parameters: Readonly<Record<string, string>>,
): { headers: Record<string, string>; body: string } {
  const isBasic = clientAuth === 'basic'
  const fields = isBasic ? parameters : { ...parameters, client_id: client.id, client_secret: client.secret }
  return {
    headers: {
      accept: 'application/json',
      'content-type': body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(isBasic && { authorization: basicOf(client) }),
    },
    body: body === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  }
}

export const basicOf = ({ id, secret }: TokenEndpoint['client']) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

function kindOf(status: number, code: string | null): TokenFailure['kind'] {
  if (code !== null && CLIENT_ERRORS.includes(code)) return 'client'
  if (code !== null && TRANSIENT_ERRORS.includes(code)) return 'transient'
  if (code !== null && status < 300) return 'refused'
  return REFUSING_STATUSES.includes(status) ? 'refused' : 'transient'
}

/** JSON, or the form that some providers answer with. Null if it is neither. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return /^[\w.-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : null
  }
}

/** `error` of RFC 6749, or the code within it at providers that send an object. */
function codeOf(answer: unknown): string | null {
  const { error } = (answer ?? {}) as { error?: unknown }
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : error
  if (code === undefined || code === null) return null
  return typeof code === 'string' && /^[\w.:-]{1,80}$/.test(code) ? code : 'unknown_error'
}
