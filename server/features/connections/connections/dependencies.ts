import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { PublicContext } from '../../../context.ts'

/** The dependencies of a request with a connection: every context, and the operator's settings of connectors. */
export type ConnectionDependencies = Pick<
  PublicContext<'outbound' | 'vault'>,
  'sql' | 'outbound' | 'vault' | 'now'
> & {
  connectors: ConnectorsConfig
}
