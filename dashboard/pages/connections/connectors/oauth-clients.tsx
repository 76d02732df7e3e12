import { useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { connectionApi } from '../../../api/connections/connection-api.ts'
import {
  type Connector,
  refreshConnections,
  refreshConnectors,
} from '../../../api/connections/connections.ts'
import { Button } from '../../../components/button.tsx'
import { ClientDialog } from '../../../components/connectors/client-dialog.tsx'
import { Mark } from '../../../components/connectors/mark.tsx'
import { DeleteDialog } from '../../../components/dialogs/delete-dialog.tsx'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { Status } from '../../../components/status.tsx'

/** The client of each connector that uses OAuth: that of the organization, that of the server, or none. */
export function OAuthClients({ connectors }: { connectors: Connector[] }) {
  const [editing, setEditing] = useState<Connector>()
  const [removing, setRemoving] = useState<Connector>()
  const items = connectors.filter(({ client }) => client !== null)
  return (
    <Section
      title="OAuth clients"
      lead="Members connect through a client that is registered with the provider. The organization’s client takes precedence over the server’s."
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
          kind="OAuth client"
          name={removing.name}
          remove={() => connectionApi.connectors.removeClient({ slug: removing.slug })}
          refresh={() => Promise.all([refreshConnectors(), refreshConnections()])}
          onClose={() => setRemoving(undefined)}
        >
          Connections that were made with this client have to be connected again, with the client of the
          server if it has one.
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
  const verb = source === 'organization' ? 'Replace' : 'Set up'
  return (
    <Row
      icon={<Mark slug={slug} name={name} />}
      title={<span className="font-medium">{name}</span>}
      note={
        source === 'organization' ? <span className="font-mono">{clientId}</span> : NOTES[source ?? 'none']
      }
    >
      <span className="hidden pr-8 sm:inline">
        <Status meaning={source ? 'good' : 'neutral'}>{source ? 'Set up' : 'Not set up'}</Status>
      </span>
      {source === 'organization' && (
        <Button
          look="quiet"
          size="small"
          aria-label={textWithNames`Remove the client of ${name}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      )}
      <Button size="small" aria-label={textWithNames`${verb} the client of ${name}`} onClick={onEdit}>
        {verb}
      </Button>
    </Row>
  )
}

const NOTES = { server: 'Client of the server', none: 'Members cannot connect yet' }
