import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { PublicContext } from '../../../context.ts'

export type ConnectionDependencies = Pick<
  PublicContext<'outbound' | 'vault'>,
  'sql' | 'outbound' | 'vault' | 'now'
> & {
  connectors: ConnectorsConfig
}
