import type { Vault } from '../../../../security/vault.ts'
import type { Tokens } from './oauth-state.ts'

type Column = 'header' | 'client_secret' | 'tokens'

/** Four characters reveal too much of a shorter value. */
const SHOWN_FROM_LENGTH = 16

const locationOf = (column: Column, serverId: string) => `mcp_servers.${column}:${serverId}`

export const sealSecret = (vault: Vault, column: Column, serverId: string, value: string) =>
  vault.seal(locationOf(column, serverId), value)

/** Also null if sealed with another server secret: it must be entered again. */
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

export const sealHeader = (
  vault: Vault,
  serverId: string,
  { name, value }: { name: string; value: string },
) => ({
  headerName: name,
  headerSealed: sealSecret(vault, 'header', serverId, value),
  lastFour: value.length >= SHOWN_FROM_LENGTH ? value.slice(-4) : null,
})
