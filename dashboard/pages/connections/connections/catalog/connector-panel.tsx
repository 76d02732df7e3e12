import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { CONNECTOR_CATEGORIES } from '../../../../../contract/connections/connector-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { Connection, Connector } from '../../../../api/connections.ts'
import { useSession } from '../../../../api/session.ts'
import {
  AVAILABILITIES,
  accountName,
  ConnectionStatus,
  ToolRisks,
} from '../../../../components/connectors/connection-labels.tsx'
import { localizeConnectorText } from '../../../../components/connectors/connector-texts.ts'
import { Mark } from '../../../../components/connectors/mark.tsx'
import { Panel, PanelSection } from '../../../../components/layout/panel.tsx'
import { Name } from '../../../../components/name.tsx'
import { ConnectButton } from '../connect/connect-button.tsx'

interface ConnectorPanelProps {
  connector: Connector
  connections: Connection[]
  onClose: () => void
}

const SIGN_IN_NOTES: Record<Connector['authType'], string> = {
  oauth: t`Sign in with the provider and grant permissions there.`,
  api_key: t`Enter a key or token from the provider.`,
  none: t`No sign-in needed.`,
}

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
              className="inline-flex items-center gap-4 text-13 text-selection-text hover:underline"
            >
              {name} documentation
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
      <PanelSection title={t`Tools · ${tools.length}`}>
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

function Availability({ connector }: { connector: Connector }) {
  const { availability, availabilityReason, name } = connector
  const { role } = useSession()
  const label = AVAILABILITIES[availability]
  if (!label) return null
  const isAdmin = role !== 'member'
  const help =
    availability === 'unconfigured'
      ? isAdmin
        ? t`Register an OAuth client for your organization with ${name} and enter it here.`
        : t`Ask an admin to set up ${name}.`
      : null
  return (
    <div className="rounded-control border border-neutral-6 bg-inset px-12 py-8 text-13">
      <p className="font-medium">{label}</p>
      <p className="text-neutral-11">
        {[availabilityReason && localizeConnectorText(availabilityReason), help].filter(Boolean).join(' ')}
      </p>
    </div>
  )
}

function ConnectedAccounts({ connections }: { connections: Connection[] }) {
  return (
    <ul className="-mx-8">
      {connections.map((connection) => (
        <li key={connection.id}>
          <Link
            to="/integrations/$id"
            params={{ id: connection.id }}
            className="flex min-h-32 items-center gap-12 rounded-control px-8 text-13 hover:bg-hover"
          >
            <span className="min-w-0 flex-1 truncate">
              <Name>{accountName(connection) ?? connection.connector.name}</Name>
              {connection.label && (
                <span className="text-neutral-11">
                  {' '}
                  · <Name>{connection.label}</Name>
                </span>
              )}
            </span>
            <ConnectionStatus status={connection.status} />
          </Link>
        </li>
      ))}
    </ul>
  )
}
