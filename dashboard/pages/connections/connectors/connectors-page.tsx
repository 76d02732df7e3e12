import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
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
import { TextField } from '../../../components/forms/field.tsx'
import { Name } from '../../../components/name.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'

const route = getRouteApi('/app/integrations/custom')

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
  const row = (connector: Connector) => (
    <ClientRow
      key={connector.slug}
      connector={connector}
      onEdit={() => setEditing(connector)}
      onRemove={() => setRemoving(connector)}
    />
  )
  const ready = items.filter(({ client }) => client?.source)
  return (
    <>
      <Section
        title="OAuth clients"
        lead="Members connect an app through a client registered with its provider. Your organization’s client takes precedence over the server’s."
      >
        {ready.length > 0 ? (
          <Rows label="OAuth clients">{ready.map(row)}</Rows>
        ) : (
          <p className="text-13 text-neutral-11">No app is set up yet.</p>
        )}
      </Section>
      <MissingClients connectors={items.filter(({ client }) => !client?.source)}>{row}</MissingClients>
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
    </>
  )
}

/** A longer list is searched. */
const SHOWN_MAX = 6

interface MissingClientsProps {
  connectors: Connector[]
  children: (connector: Connector) => ReactNode
}

function MissingClients({ connectors, children }: MissingClientsProps) {
  const { q = '' } = route.useSearch()
  const { typed, setTyped } = useSearchInput(q)
  const [showsAll, setShowsAll] = useState(false)
  const words = typed.trim().toLowerCase()
  const found = connectors.filter(({ name }) => name.toLowerCase().includes(words))
  const shown = showsAll || words !== '' ? found : found.slice(0, SHOWN_MAX)
  if (connectors.length === 0) return null
  return (
    <Section
      title="Not set up"
      lead="Members can’t connect these apps until you register a client with the provider."
    >
      {connectors.length > SHOWN_MAX && (
        <TextField
          type="search"
          label="Find an app"
          labelHidden
          placeholder="Find an app"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {found.length === 0 && <p className="text-13 text-neutral-11">No apps match.</p>}
      {shown.length > 0 && <Rows label="Apps without a client">{shown.map(children)}</Rows>}
      {shown.length < found.length && (
        <Button className="self-start" onClick={() => setShowsAll(true)}>
          {t`Show all ${found.length} apps`}
        </Button>
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
        source === 'organization' ? (
          <span className="font-mono">{clientId}</span>
        ) : (
          source && t`Server’s client`
        )
      }
    >
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
