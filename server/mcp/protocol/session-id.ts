import { randomHex } from '../../security/random.ts'
import type { Vault } from '../../security/vault.ts'
import type { ClientInfo } from '../environment.ts'
import { canElicitForm, cleanName } from './client-info.ts'

const PURPOSE = 'mcp session'
const LENGTH_MAX = 600

/**
 * Revisions before 2026-07-28 name the client in the first request only. The session id contains the name, signed, so that
 * every process can read it and none stores it. It grants nothing: each request has its bearer token.
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

/** Null for an id that this server did not issue; the request is then served without it. */
export function readSessionId(vault: Vault, id: string | null): ClientInfo | null {
  if (id === null || id.length > LENGTH_MAX) return null
  const [text = '', signature = ''] = id.split('.')
  if (!vault.verify(PURPOSE, text, signature)) return null
  const [name, canElicit] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, boolean]
  return { name, canElicit }
}
