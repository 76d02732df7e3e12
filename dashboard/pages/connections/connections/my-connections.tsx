import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type Connection, type Connector, connectorsQuery } from '../../../api/connections.ts'
import { useSession } from '../../../api/session.ts'
import { Badge } from '../../../components/badge.tsx'
import {
  accountName,
  ConnectionStatus,
  connectionName,
  connectionProblem,
} from '../../../components/connectors/connection-labels.tsx'
import { Mark } from '../../../components/connectors/mark.tsx'
import { Name } from '../../../components/name.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { RepairButton } from './connect/repair-button.tsx'

interface MyConnectionsProps {
  connections: Connection[]
  words: string
}

export function MyConnections({ connections, words }: MyConnectionsProps) {
  const { user } = useSession()
  const connectors = useQuery(connectorsQuery).data?.items ?? []
  const query = words.trim().toLowerCase()
  const matchingConnections = connections.filter((each) =>
    `${connectionName(each)} ${accountName(each) ?? ''} ${each.account?.email ?? ''}`
      .toLowerCase()
      .includes(query),
  )
  if (connections.length > 0 && matchingConnections.length === 0) return null
  return (
    <section aria-labelledby="my-connections">
      <h2 id="my-connections" className="px-16 pt-24 pb-8 font-strong md:px-24">
        Your connections
      </h2>
      {connections.length === 0 ? (
        <p className="max-w-reading px-16 text-neutral-11 md:px-24">
          None yet. Connect an app below so agents can work there for you, with the permissions you grant.
        </p>
      ) : (
        <Table
          label="Your connections"
          columns={connectionColumns(user.id, connectors)}
          rows={matchingConnections}
          rowKey={({ id }) => id}
          version={({ status, updatedAt }) => `${status} ${updatedAt}`}
        />
      )}
    </section>
  )
}

const connectionColumns = (userId: string, connectors: Connector[]): Column<Connection>[] => [
  {
    header: t`Connection`,
    wide: true,
    cell: (connection) => <ConnectionCell connection={connection} userId={userId} />,
  },
  { header: t`Status`, cell: ({ status }) => <ConnectionStatus status={status} /> },
  {
    header: t`Held`,
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ heldCount }) =>
      heldCount > 0 ? (
        <span className="text-warning-text" title="Events waiting until the connection works again">
          {heldCount.toLocaleString(LOCALE)}
        </span>
      ) : (
        <span className="text-neutral-11">–</span>
      ),
  },
  {
    header: t`Last used`,
    right: true,
    visibleFrom: 'wide',
    cell: ({ lastUsedAt }) => <TimeCell at={lastUsedAt} none={t`Never`} />,
  },
  {
    header: t`Refreshed`,
    right: true,
    visibleFrom: 'extra-wide',
    hiddenBesidePanel: true,
    cell: ({ lastRefreshAt }) => <TimeCell at={lastRefreshAt} />,
  },
  {
    header: t`Expires`,
    right: true,
    visibleFrom: 'extra-wide',
    hiddenBesidePanel: true,
    cell: ({ expiresAt }) => <TimeCell at={expiresAt} isExpected none="–" />,
  },
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    visibleFrom: 'medium',
    cell: (connection) => (
      <RepairButton
        connection={connection}
        connector={connectors.find(({ slug }) => slug === connection.connectorSlug)}
        isOwn={connection.owner.id === userId}
        size="small"
      />
    ),
  },
]

interface TimeCellProps {
  at: string | null
  isExpected?: boolean
  none?: string
}

const TimeCell = ({ at, isExpected, none = '–' }: TimeCellProps) => (
  <span className="whitespace-nowrap text-neutral-11">
    {at ? <Time at={at} isExpected={isExpected} /> : none}
  </span>
)

function ConnectionCell({ connection, userId }: { connection: Connection; userId: string }) {
  const { id, connectorSlug, connector, label } = connection
  const problem = connectionProblem(connection)
  return (
    <span className="flex min-w-0 items-center gap-12">
      <Mark slug={connectorSlug} name={connector.name} />
      <span className="block min-w-0">
        <span className="flex min-w-0 items-center gap-8">
          <Link
            to="/integrations/$id"
            params={{ id }}
            data-row-link={id}
            aria-label={connectionName(connection)}
            className="row-link shrink-0 font-medium outline-none"
          >
            {connector.name}
          </Link>
          {label && (
            <span className="min-w-0 truncate">
              <Badge>
                <Name>{label}</Name>
              </Badge>
            </span>
          )}
        </span>
        <span className={`block truncate text-12 ${problem ? TONES[connection.status] : 'text-neutral-11'}`}>
          {problem ?? (
            <>
              <Name>{accountName(connection) ?? t`No account name`}</Name>
              <SharedNote connection={connection} userId={userId} />
            </>
          )}
        </span>
      </span>
    </span>
  )
}

function SharedNote({ connection: { owner, shared }, userId }: { connection: Connection; userId: string }) {
  if (owner.id !== userId)
    return (
      <>
        {' · '}
        <span>
          shared by <Name>{owner.name}</Name>
        </span>
      </>
    )
  if (shared === 'none') return null
  return shared === 'org' ? t` · shared with the organization` : t` · shared with a project`
}

const TONES: Partial<Record<Connection['status'], string>> = {
  expired: 'text-bad-text',
  error: 'text-warning-text',
  pending: 'text-neutral-11',
  failed: 'text-neutral-11',
}
