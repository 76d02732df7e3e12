import { ExternalLink } from 'lucide-react'
import { CONNECTOR_CATEGORIES } from '../../../../../contract/connections/connector-options.ts'
import type { Connection, Connector } from '../../../../api/connections/connections.ts'
import { useSession } from '../../../../api/session.ts'
import { localizeConnectorText } from '../../../../components/connectors/connector-texts.ts'
import { Mark } from '../../../../components/connectors/mark.tsx'
import { ToolRisks } from '../../../../components/connectors/tool-risks.tsx'
import { Panel, PanelSection } from '../../../../components/layout/panel.tsx'
import { ConnectButton } from '../connect/connect-button.tsx'
import { Availability } from './availability.tsx'
import { ConnectedAccounts } from './connected-accounts.tsx'

interface ConnectorPanelProps {
  connector: Connector
  connections: Connection[]
  onClose: () => void
}

const SIGN_IN_NOTES: Record<Connector['authType'], string> = {
  oauth: 'You sign in to the provider and grant permissions there.',
  api_key: 'You enter a key or a token of the provider.',
  none: 'It needs no sign-in.',
}

/** Details of one connector: the tools of agents, and the button that connects it. */
export function ConnectorPanel({ connector, connections, onClose }: ConnectorPanelProps) {
  const { slug, name, description, category, authType, docsUrl, tools, receives } = connector
  const { user } = useSession()
  const connectorConnections = connections.filter((each) => each.connectorSlug === slug)
  const isConnected = connectorConnections.some(
    ({ owner, status }) => owner.id === user.id && status === 'active',
  )
  return (
    <Panel title={name} subtitle={CONNECTOR_CATEGORIES[category]} onClose={onClose}>
      <PanelSection>
        <div className="flex flex-col gap-16">
          <div className="flex items-start gap-12">
            <Mark slug={slug} name={name} size="large" />
            <div className="min-w-0">
              <p>{localizeConnectorText(description)}</p>
              <p className="text-13 text-neutral-11">{SIGN_IN_NOTES[authType]}</p>
            </div>
          </div>
          <Availability connector={connector} />
          <div className="flex flex-wrap items-center gap-12">
            <ConnectButton
              connector={connector}
              isConnected={isConnected}
              look="primary"
              size="normal"
              withOptions
            />
            <a
              href={docsUrl}
              target="_blank"
              rel="noreferrer"
              className="inline-flex items-center gap-4 text-13 text-accent-text hover:underline"
            >
              Documentation of {name}
              <ExternalLink aria-hidden className="icon" />
            </a>
          </div>
        </div>
      </PanelSection>
      {connectorConnections.length > 0 && (
        <PanelSection title="Connections">
          <ConnectedAccounts connections={connectorConnections} />
        </PanelSection>
      )}
      <PanelSection title={`Tools · ${tools.length}`}>
        <ToolRisks tools={tools} slug={slug} />
      </PanelSection>
      {receives && (
        <PanelSection title="Events that start agents">
          <ul className="flex flex-col gap-8">
            {receives.events.map((event) => (
              <li key={event.key}>
                <p className="font-mono text-12">{event.key}</p>
                <p className="text-12 text-neutral-11">{event.description}</p>
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
    </Panel>
  )
}
