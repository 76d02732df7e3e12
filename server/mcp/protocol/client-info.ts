import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import { randomHex } from '../../security/random.ts'
import type { Vault } from '../../security/vault.ts'
import type { ClientInfo, Exchange } from '../environment.ts'

const NAME_CHARACTERS_MAX = 64

const cleanName = (name: unknown): string | null => {
  if (typeof name !== 'string') return null
  const clean = name
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .toWellFormed()
    .trim()
    .slice(0, NAME_CHARACTERS_MAX)
  return clean === '' ? null : clean
}

interface Capabilities {
  elicitation?: { form?: object; url?: object }
}

/** Older clients support only forms and send the capability without fields. */
const canElicitForm = (capabilities: unknown): boolean => {
  const { elicitation } = (capabilities ?? {}) as Capabilities
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/** From the token, then the request or session, then the user agent. */
export function identifyClient(
  { caller, origin }: Exchange,
  envelope: object | undefined,
  session: ClientInfo | null,
): ClientInfo {
  const meta = (envelope ?? {}) as Record<string, unknown>
  const declared = meta[CLIENT_INFO_META_KEY] as { name?: unknown } | undefined
  const name =
    caller.client ??
    cleanName(declared?.name) ??
    session?.name ??
    cleanName(origin.userAgent?.split('/')[0]) ??
    'unknown'
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY]
  return { name, canElicit: capabilities ? canElicitForm(capabilities) : (session?.canElicit ?? false) }
}

const PURPOSE = 'mcp session'
const LENGTH_MAX = 600

/**
 * Revisions before 2026-07-28 name the client only in the first request. The session id contains the signed name, so
 * any process can read it. It grants nothing: each request has its bearer token.
 */
export function createSessionId(
  vault: Vault,
  { clientInfo, capabilities }: { clientInfo?: { name?: unknown }; capabilities?: unknown },
): string {
  const name = cleanName(clientInfo?.name) ?? 'unknown'
  const client = [name, canElicitForm(capabilities), randomHex(8)]
  const text = Buffer.from(JSON.stringify(client)).toString('base64url')
  return `${text}.${vault.sign(PURPOSE, text)}`
}

/** Null for an id this server didn't issue. The request proceeds without it. */
export function readSessionId(vault: Vault, id: string | null): ClientInfo | null {
  if (id === null || id.length > LENGTH_MAX) return null
  const [text = '', signature = ''] = id.split('.')
  if (!vault.verify(PURPOSE, text, signature)) return null
  const [name, canElicit] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, boolean]
  return { name, canElicit }
}
