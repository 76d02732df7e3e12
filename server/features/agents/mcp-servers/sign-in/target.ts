import type { Vault } from '../../../../security/vault.ts'
import type { Target } from '../connection/connect.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ServerRow } from '../queries.ts'
import type { Tokens } from './start.ts'
import { tokensOf } from './tokens.ts'

/** A server with its credentials, which are opened for the connection only. */
export function targetOf(ctx: Dependencies, orgId: string, server: ServerRow): Target {
  const { url, auth, headerName, headerSealed } = server
  if (auth === 'oauth') return { url, headers: {}, secrets: [], tokens: tokensOf(ctx, orgId, server) }
  const value = auth === 'header' ? openSecret(ctx.vault, 'header', server.id, headerSealed) : null
  return value === null ? targetWith(url, undefined) : targetWith(url, { name: headerName!, value })
}

export function targetWith(url: string, header: { name: string; value: string } | undefined): Target {
  if (!header) return { url, headers: {}, secrets: [] }
  const { name, value } = header
  // A server may repeat the secret without the scheme in front of it.
  return { url, headers: { [name]: value }, secrets: [value, ...value.split(' ').filter(isLong)] }
}

const isLong = (part: string) => part.length >= 8

export const withoutSecrets = (text: string, { secrets }: Pick<Target, 'secrets'>): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)

type Column = 'header' | 'client_secret' | 'tokens'

/** Four characters would be a large part of a shorter value. */
const SHOWN_FROM_LENGTH = 16

const locationOf = (column: Column, serverId: string) => `mcp_servers.${column}:${serverId}`

export const sealSecret = (vault: Vault, column: Column, serverId: string, value: string) =>
  vault.seal(locationOf(column, serverId), value)

/** Null if there is none, or if it was sealed with another secret of this server: it then has to be entered again. */
export const openSecret = (
  vault: Vault,
  column: Column,
  serverId: string,
  sealed: string | null,
): string | null => sealed && vault.tryOpen(locationOf(column, serverId), sealed)

export function openTokens(vault: Vault, serverId: string, sealed: string | null): Tokens | null {
  const text = openSecret(vault, 'tokens', serverId, sealed)
  return text === null ? null : JSON.parse(text)
}

/** A header value as it is stored, with the four characters that may be shown. */
export const sealHeader = (
  vault: Vault,
  serverId: string,
  { name, value }: { name: string; value: string },
) => ({
  headerName: name,
  headerSealed: sealSecret(vault, 'header', serverId, value),
  lastFour: value.length >= SHOWN_FROM_LENGTH ? value.slice(-4) : null,
})
