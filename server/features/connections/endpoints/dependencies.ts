import type { Logger } from 'pino'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { PublicContext } from '../../../context.ts'
import type { Models } from '../../../language-models/models.ts'
import type { ConnectionDependencies } from '../connections/connections.ts'

export interface EndpointOptions {
  models: Models
  connectors: ConnectorsConfig
  /** The public URL of this server that the operator set. */
  publicUrl: string | null
  log: Logger
}

/** The dependencies of requests with a connection. */
export const connectionDeps = (
  { connectors }: Pick<EndpointOptions, 'connectors'>,
  ctx: Pick<PublicContext<'outbound' | 'vault'>, 'sql' | 'outbound' | 'vault' | 'now'>,
): ConnectionDependencies => ({
  sql: ctx.sql,
  outbound: ctx.outbound,
  vault: ctx.vault,
  now: ctx.now,
  connectors,
})
