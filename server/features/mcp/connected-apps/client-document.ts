import { toDisplayName } from '../../../../contract/display-name.ts'
import { redirectTarget, redirectUriProblem } from '../../../../contract/mcp/redirect-uri.ts'
import type { BufferedResponse, Outbound } from '../../../outbound/outbound.ts'
import { refusal } from './oauth-protocol.ts'

export interface Client {
  id: string
  name: string
  /** Published the client's metadata. Null if the client registered itself. */
  host: string | null
  redirectUris: string[]
}

/** A published metadata document's URL is its client's id. */
export const isClientUrl = (id: string): boolean => /^https:/i.test(id)

export const hostOfClient = ({ host }: Client, redirectUri: string): string =>
  host ?? redirectTarget(redirectUri)

export const CLIENT_NAME_LENGTH_MAX = 80
const BYTES_MAX = 5 * 1024
const TIMEOUT_MS = 5000
const CACHED_MAX = 200
const DEFAULT_SECONDS = 300
const SECONDS_MAX = 86_400
const REDIRECT_URIS_MAX = 50

/** Per process. Rereads a document when its cache lifetime ends, after a day at most. */
export function createClientDocuments() {
  const cache = new Map<string, { client: Client; until: number }>()

  return async (outbound: Pick<Outbound, 'request'>, url: string, now: Date): Promise<Client> => {
    const entry = cache.get(url)
    if (entry && entry.until > now.getTime()) return entry.client
    cache.delete(url)
    const response = await fetchDocument(outbound, url)
    const client = parseDocument(url, response.body)
    const until = now.getTime() + lifetimeOf(response.headers['cache-control']) * 1000
    if (until > now.getTime()) {
      const [oldest] = cache.keys()
      if (cache.size >= CACHED_MAX && oldest !== undefined) cache.delete(oldest)
      cache.set(url, { client, until })
    }
    return client
  }
}

export type ClientDocuments = ReturnType<typeof createClientDocuments>

/** The URL is untrusted, so this uses the guarded client, which follows no redirects. */
async function fetchDocument(outbound: Pick<Outbound, 'request'>, url: string): Promise<BufferedResponse> {
  const problem = clientUrlProblem(url)
  if (problem) throw invalidDocument(problem)
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX }
  const outcome = await outbound.request({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    ...limits,
  })
  if (outcome.kind === 'failure') throw invalidDocument(`could not be read: ${outcome.error}`)
  const { response } = outcome
  if (response.status !== 200) throw invalidDocument(`could not be read: the response was ${response.status}`)
  if (response.truncated) throw invalidDocument(`is larger than ${BYTES_MAX} bytes`)
  if (!/^application\/([\w.-]+\+)?json(;|$)/i.test(response.headers['content-type']?.trim() ?? ''))
    throw invalidDocument('is not application/json')
  return response
}

/** Per draft-ietf-oauth-client-id-metadata-document. */
function clientUrlProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'has no valid URL'
  const url = new URL(text)
  // Another spelling could name the same client twice.
  if (url.protocol !== 'https:' || url.href !== text) return 'has no https URL in its usual spelling'
  if (url.username || url.password || text.includes('#')) return 'has a URL with a fragment or credentials'
  return url.pathname === '/' ? 'has a URL without a path' : null
}

function parseDocument(url: string, body: Buffer): Client {
  const document = parseObject(body)
  if (document.client_id !== url) throw invalidDocument('has a client_id that is not its URL')
  if (typeof document.client_secret === 'string') throw invalidDocument('contains a secret')
  const method = document.token_endpoint_auth_method
  // Our metadata offers no assertions, so PKCE and the redirect URI identify such a client.
  if (method !== undefined && method !== 'none' && method !== 'private_key_jwt')
    throw invalidDocument('has a token_endpoint_auth_method that requires a secret')
  const { redirect_uris: uris } = document
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > REDIRECT_URIS_MAX)
    throw invalidDocument(`has no redirect_uris, or more than ${REDIRECT_URIS_MAX}`)
  const redirectUris = uris.filter(
    (uri): uri is string => typeof uri === 'string' && !redirectUriProblem(uri),
  )
  const { host } = new URL(url)
  const name = typeof document.client_name === 'string' ? document.client_name : ''
  return {
    id: url,
    name: toDisplayName(name.slice(0, 1000), CLIENT_NAME_LENGTH_MAX) || host,
    host,
    redirectUris,
  }
}

function parseObject(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Reported below, like any document that isn't an object.
  }
  throw invalidDocument('is not a JSON object')
}

function lifetimeOf(cacheControl = ''): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0
  const [, seconds] = /\bmax-age=(\d{1,9})/i.exec(cacheControl) ?? []
  return seconds === undefined ? DEFAULT_SECONDS : Math.min(Number(seconds), SECONDS_MAX)
}

const invalidDocument = (problem: string) => refusal('invalid_client', `The app metadata document ${problem}`)
