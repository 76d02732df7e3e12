import type { ConnectionTarget, ConnectorDefinition } from '../connectors/connectors.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import type { ConnectionRow } from './queries.ts'
import type { Secrets } from './secrets.ts'

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
