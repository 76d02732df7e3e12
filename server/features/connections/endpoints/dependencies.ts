import type { Logger } from 'pino'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { PublicContext } from '../../../context.ts'
import type { Models } from '../../../language-models/models.ts'
import type { ConnectionDependencies } from '../connections/connections.ts'

export interface EndpointOptions {
  models: Models
  connectors: ConnectorsConfig
  publicUrl: string | null
  log: Logger
}

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
