import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { ClientInfo, Exchange } from '../environment.ts'

const NAME_CHARACTERS_MAX = 64

/** A name that a client gives itself, as one short line. */
export const cleanName = (name: unknown): string | null => {
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

/** Older clients have only forms, and send the capability without fields. */
export const canElicitForm = (capabilities: unknown): boolean => {
  const { elicitation } = (capabilities ?? {}) as Capabilities
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

/**
 * The client of a request: the name in the token that was issued to it, else the name in the request or the session,
 * else its user agent.
 */
export function clientOf(
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
