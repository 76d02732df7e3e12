import type { ConnectorsConfig } from '../../config/connectors.ts'
import type { PublicContext } from '../../context.ts'

/** What a request with a connection needs: every context, and what the operator set for connectors. */
export type ConnectionDependencies = Pick<PublicContext, 'sql' | 'outbound' | 'vault' | 'now'> & {
  connectors: ConnectorsConfig
}
