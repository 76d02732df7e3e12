import type { Vault } from '../../../security/vault.ts'
import type { ConnectionTarget, ConnectorDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import type { ConnectionRow } from './queries.ts'

/** The generation identifies the tokens, for `reportFailure`. */
export interface OpenConnection extends ConnectionTarget {
  generation: number
}

export const toOpenConnection = (
  { connectors }: Pick<ConnectionDependencies, 'connectors'>,
  row: Pick<ConnectionRow, 'slug' | 'config' | 'kept' | 'account' | 'generation'>,
  definition: ConnectorDefinition,
  { credentials }: Pick<Secrets, 'credentials'>,
): OpenConnection => ({
  definition,
  config: row.config,
  kept: row.kept,
  credentials,
  account: { id: row.account?.id ?? null },
  override: connectors[row.slug]?.url ?? null,
  generation: row.generation,
})

export interface Secrets {
  /** Entered values, or `accessToken`. */
  credentials: Record<string, string>
  /** Null if none was issued. */
  refreshToken: string | null
}

const locationOf = (connectionId: string) => `connection_secrets:${connectionId}`

export const sealSecrets = (vault: Vault, connectionId: string, secrets: Secrets): string =>
  vault.seal(locationOf(connectionId), JSON.stringify(secrets))

/** Also null if sealed with another server secret. */
export function openSecrets(vault: Vault, connectionId: string, sealed: string | null): Secrets | null {
  const text = sealed && vault.tryOpen(locationOf(connectionId), sealed)
  return text ? JSON.parse(text) : null
}
