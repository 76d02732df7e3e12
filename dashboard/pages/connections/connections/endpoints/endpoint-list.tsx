import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { LOCALE, t } from '../../../../../contract/text.ts'
import {
  type Connection,
  type Connector,
  type ConnectorEndpoint,
  endpointsQuery,
} from '../../../../api/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { Name } from '../../../../components/name.tsx'
import { type Column, Table } from '../../../../components/table/table.tsx'
import { Time } from '../../../../components/time.tsx'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { describeEndpointState, EndpointState } from './endpoint-labels.tsx'

interface EndpointListProps {
  connection: Connection
  connector: Connector
  isOwn: boolean
  /** Id of the open panel's endpoint. */
  current: string | undefined
}

export function EndpointList({ connection, connector, isOwn, current }: EndpointListProps) {
  const endpoints = useQuery(endpointsQuery(connection.id)).data?.items
  const [isCreating, setCreating] = useState(false)
  const canCreate = isOwn && connection.status === 'active'
  return (
    <section aria-labelledby="endpoints" className="border-neutral-6 border-b pb-24">
      <header className="flex items-start justify-between gap-16 px-16 pt-24 pb-8 md:px-24">
        <div>
          <h2 id="endpoints" className="font-strong">
            Endpoints
          </h2>
          <p className="max-w-reading text-13 text-neutral-11">
            {endpoints?.length === 0
              ? t`None yet. An endpoint receives events from ${connector.name} and starts an agent for each one.`
              : t`Events from ${connector.name} that start agents.`}
          </p>
        </div>
        {canCreate && <Button onClick={() => setCreating(true)}>New endpoint</Button>}
      </header>
      {endpoints && endpoints.length > 0 && (
        <Table
          label="Endpoints"
          columns={columns}
          rows={endpoints}
          rowKey={({ id }) => id}
          currentKey={current}
          version={({ updatedAt, counts }) => `${updatedAt} ${counts.received}`}
        />
      )}
      {isCreating && (
        <EndpointDialog connection={connection} connector={connector} onClose={() => setCreating(false)} />
      )}
    </section>
  )
}

const columns: Column<ConnectorEndpoint>[] = [
  {
    header: t`Endpoint`,
    wide: true,
    cell: (endpoint) => (
      <span className="block min-w-0">
        <Link
          to="/integrations/$id"
          params={{ id: endpoint.connectionId }}
          search={{ endpoint: endpoint.id }}
          data-row-link={endpoint.id}
          className="row-link block max-w-full truncate font-medium outline-none"
        >
          <Name>{endpoint.name}</Name>
        </Link>
        <span className="block truncate text-12 text-neutral-11">
          {describeEndpointState(endpoint).reason ?? (
            <>
              <Name>{endpoint.agentName}</Name> in <Name>{endpoint.projectName}</Name>
            </>
          )}
        </span>
      </span>
    ),
  },
  { header: t`Status`, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    header: t`Events`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ counts }) => counts.received.toLocaleString(LOCALE),
  },
  {
    header: t`Waiting`,
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ counts }) => counts.waiting.toLocaleString(LOCALE),
  },
  {
    header: t`Failed`,
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ counts }) => counts.failed.toLocaleString(LOCALE),
  },
  {
    header: t`Last event`,
    right: true,
    visibleFrom: 'medium',
    cell: ({ lastReceivedAt }) => (lastReceivedAt ? <Time at={lastReceivedAt} /> : '–'),
  },
]
