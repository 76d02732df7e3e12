import type { Vault } from '../../../security/vault.ts'
import type { ConnectionTarget, ConnectorDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import type { ConnectionRow } from './queries.ts'

/** A connection that is ready for requests. The generation names the tokens, for `reportFailure`. */
export interface OpenConnection extends ConnectionTarget {
  generation: number
}

export const targetOf = (
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

/** The secrets that authorize requests with a connection. */
export interface Secrets {
  /** The entered credentials, or `accessToken`. */
  credentials: Record<string, string>
  /** Null if the provider issued none, and for credentials. */
  refreshToken: string | null
}

const locationOf = (connectionId: string) => `connection_secrets:${connectionId}`

export const sealSecrets = (vault: Vault, connectionId: string, secrets: Secrets): string =>
  vault.seal(locationOf(connectionId), JSON.stringify(secrets))

/** Null if there are none, or if they were sealed with another secret of this server. */
export function openSecrets(vault: Vault, connectionId: string, sealed: string | null): Secrets | null {
  const text = sealed && vault.tryOpen(locationOf(connectionId), sealed)
  return text ? JSON.parse(text) : null
}
