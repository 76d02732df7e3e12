import type { Connector } from '../../../../api/connections/connections.ts'
import type { ConnectorEndpoint } from '../../../../api/connections/connector-endpoints.ts'
import type { EndpointDraft } from './endpoint-draft.ts'

/** The props of the fields of an endpoint. */
export interface EndpointFieldsProps {
  connector: Connector
  /** Undefined for a new one. */
  endpoint: ConnectorEndpoint | undefined
  draft: EndpointDraft
  update: (change: Partial<EndpointDraft>) => void
  agents: readonly { id: string; name: string }[]
  projects: readonly { id: string; name: string }[]
  /** The message of the server for a field. */
  errorOf: (field: string) => string | undefined
}
