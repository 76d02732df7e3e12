import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Connection, Connector } from '../../../api/connections/connections.ts'
import { endpointsQuery } from '../../../api/connections/connector-endpoints.ts'
import { Code } from '../../../components/code.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointFacts } from './endpoint-facts.tsx'
import { EndpointState, stateOf } from './endpoint-labels.tsx'
import { EventList } from './event-list.tsx'

interface EndpointPanelProps {
  id: string
  connection: Connection
  connector: Connector
}

/** Details of one endpoint: its state, its URL, its settings, and its recent events. */
export function EndpointPanel({ id, connection, connector }: EndpointPanelProps) {
  const navigate = useNavigate()
  const endpoint = useQuery(endpointsQuery(connection.id)).data?.items.find((each) => each.id === id)
  const close = () => void navigate({ to: '/connections/$id', params: { id: connection.id }, search: {} })
  if (!endpoint) return null
  const { reason } = stateOf(endpoint)
  return (
    <Panel title={endpoint.name} subtitle={<EndpointState endpoint={endpoint} />} onClose={close}>
      <PanelSection>
        <div className="flex flex-col gap-12">
          {reason && <p className="text-13 text-neutral-11">{reason}</p>}
          <EndpointActions
            endpoint={endpoint}
            connection={connection}
            connector={connector}
            onDeleted={close}
          />
        </div>
      </PanelSection>
      <PanelSection title="URL for the provider">
        <Code what="URL">{endpoint.url}</Code>
        {endpoint.verificationToken && (
          <div className="mt-12 flex flex-col gap-4">
            <p className="text-13 text-neutral-11">
              {connector.name} sent this token to check the URL. Paste it there:
            </p>
            <Code what="token">{endpoint.verificationToken}</Code>
          </div>
        )}
      </PanelSection>
      <PanelSection title="Settings">
        <EndpointFacts endpoint={endpoint} />
      </PanelSection>
      <PanelSection title="Events">
        <EventList endpoint={endpoint} />
      </PanelSection>
    </Panel>
  )
}
