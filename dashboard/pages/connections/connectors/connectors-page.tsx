import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import {
  type Connector,
  connectionApi,
  connectorsQuery,
  customConnectorsQuery,
  refreshConnections,
  refreshConnectors,
} from '../../../api/connections.ts'
import { useSession } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { ClientDialog } from '../../../components/connectors/client-dialog.tsx'
import { Mark } from '../../../components/connectors/mark.tsx'
import { DeleteDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { Page } from '../../../frame/page.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'

export function ConnectorSettingsPage() {
  const { role } = useSession()
  const catalog = useQuery(connectorsQuery)
  return (
    <Page title="Custom apps" tabs={<SectionTabs of="integrations" />}>
      {role === 'member' ? (
        <p className="px-16 py-24 text-13 text-neutral-11 md:px-24">
          Admins set up apps.{' '}
          <Link to="/integrations" className="underline hover:text-neutral-12">
            Your connections
          </Link>
        </p>
      ) : (
        <>
          {catalog.isPending && <SkeletonRows />}
          {catalog.error && !catalog.data && (
            <Failure error={catalog.error} onRetry={() => catalog.refetch()} />
          )}
          {catalog.data && (
            <>
              <CustomConnectors />
              <OAuthClients connectors={catalog.data.items} />
            </>
          )}
        </>
      )}
    </Page>
  )
}

function CustomConnectors() {
  const items = useQuery(customConnectorsQuery).data?.items ?? []
  return (
    <Section
      title="Your own apps"
      lead="Let agents use your own service’s API. Define it as JSON or import an OpenAPI document. Requests go to one host only."
    >
      {items.length > 0 && (
        <Rows label="Your own apps">
          {items.map(({ slug, name, baseUrl, toolCount }) => (
            <Row
              key={slug}
              icon={<Mark slug={slug} name={name} />}
              title={
                <Link
                  to="/integrations/custom/$slug"
                  params={{ slug }}
                  className="truncate font-medium hover:underline"
                >
                  <Name>{name}</Name>
                </Link>
              }
              note={`${baseUrl} · ${toolCount === 1 ? t`1 tool` : t`${toolCount} tools`}`}
            />
          ))}
        </Rows>
      )}
      <div className="flex flex-wrap gap-8">
        <Link to="/integrations/custom/$slug" params={{ slug: 'import' }} className={buttonClass()}>
          Import OpenAPI
        </Link>
        <Link to="/integrations/custom/$slug" params={{ slug: 'new' }} className={buttonClass()}>
          Write JSON
        </Link>
      </div>
    </Section>
  )
}

/** Each OAuth connector uses the organization's client, the server's, or none. */
function OAuthClients({ connectors }: { connectors: Connector[] }) {
  const [editing, setEditing] = useState<Connector>()
  const [removing, setRemoving] = useState<Connector>()
  const items = connectors.filter(({ client }) => client !== null)
  return (
    <Section
      title="OAuth clients"
      lead="Members connect an app through a client registered with its provider. Your organization’s client takes precedence over the server’s."
    >
      <Rows label="OAuth clients">
        {items.map((connector) => (
          <ClientRow
            key={connector.slug}
            connector={connector}
            onEdit={() => setEditing(connector)}
            onRemove={() => setRemoving(connector)}
          />
        ))}
      </Rows>
      {editing && <ClientDialog connector={editing} onClose={() => setEditing(undefined)} />}
      {removing && (
        <DeleteDialog
          title="Delete OAuth client"
          name={removing.name}
          remove={() => connectionApi.connectors.removeClient({ slug: removing.slug })}
          refresh={() => Promise.all([refreshConnectors(), refreshConnections()])}
          onClose={() => setRemoving(undefined)}
        >
          Connections made with this client must be reconnected, using the server’s client if it has one.
        </DeleteDialog>
      )}
    </Section>
  )
}

interface ClientRowProps {
  connector: Connector
  onEdit: () => void
  onRemove: () => void
}

function ClientRow({ connector, onEdit, onRemove }: ClientRowProps) {
  const { slug, name, client } = connector
  const { source = null, clientId } = client ?? {}
  const verb = source === 'organization' ? t`Replace` : t`Set up`
  return (
    <Row
      icon={<Mark slug={slug} name={name} />}
      title={<span className="font-medium">{name}</span>}
      note={
        source === 'organization' ? <span className="font-mono">{clientId}</span> : NOTES[source ?? 'none']
      }
    >
      <span className="hidden pr-8 sm:inline">
        <Status meaning={source ? 'good' : 'neutral'}>{source ? t`Set up` : t`Not set up`}</Status>
      </span>
      {source === 'organization' && (
        <Button
          look="quiet"
          size="small"
          aria-label={textWithNames`Remove client for ${name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      )}
      <Button size="small" aria-label={textWithNames`${verb} client for ${name}`} onClick={onEdit}>
        {verb}
      </Button>
    </Row>
  )
}

const NOTES = { server: t`Server’s client`, none: t`Members can’t connect yet` }
