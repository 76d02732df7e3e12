import { Link } from '@tanstack/react-router'
import type { Connection, Connector } from '../../../api/connections/connections.ts'
import { Badge } from '../../../components/badge.tsx'
import {
  accountOf,
  ConnectionStatus,
  nameOf,
  problemOf,
} from '../../../components/connectors/connection-labels.tsx'
import { Mark } from '../../../components/connectors/mark.tsx'
import { Name } from '../../../components/name.tsx'
import type { Column } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { RepairButton } from './connect/repair-button.tsx'

/** The health of each connection at a glance. */
export const connectionColumns = (userId: string, connectors: Connector[]): Column<Connection>[] => [
  {
    header: 'Connection',
    wide: true,
    cell: (connection) => <ConnectionCell connection={connection} userId={userId} />,
  },
  { header: 'Status', cell: ({ status }) => <ConnectionStatus status={status} /> },
  {
    header: 'Held',
    right: true,
    visibleFrom: 'wide',
    hiddenBesidePanel: true,
    cell: ({ heldCount }) =>
      heldCount > 0 ? (
        <span className="text-warning-text" title="Events that wait until the connection works again">
          {heldCount.toLocaleString('en')}
        </span>
      ) : (
        <span className="text-neutral-11">–</span>
      ),
  },
  {
    header: 'Last used',
    right: true,
    visibleFrom: 'wide',
    cell: ({ lastUsedAt }) => <TimeCell at={lastUsedAt} none="Never" />,
  },
  {
    header: 'Refreshed',
    right: true,
    visibleFrom: 'extra-wide',
    hiddenBesidePanel: true,
    cell: ({ lastRefreshAt }) => <TimeCell at={lastRefreshAt} />,
  },
  {
    header: 'Expires',
    right: true,
    visibleFrom: 'extra-wide',
    hiddenBesidePanel: true,
    cell: ({ expiresAt }) => <TimeCell at={expiresAt} isExpected none="–" />,
  },
  {
    header: 'Actions',
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
  const problem = problemOf(connection)
  return (
    <span className="flex min-w-0 items-center gap-12">
      <Mark slug={connectorSlug} name={connector.name} />
      <span className="block min-w-0">
        <span className="flex min-w-0 items-center gap-8">
          <Link
            to="/connections/$id"
            params={{ id }}
            data-row-link={id}
            aria-label={nameOf(connection)}
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
              <Name>{accountOf(connection) ?? 'No account name'}</Name>
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
        {' · shared by '}
        <Name>{owner.name}</Name>
      </>
    )
  if (shared === 'none') return null
  return shared === 'org' ? ' · shared with the organization' : ' · shared with a project'
}

const TONES: Partial<Record<Connection['status'], string>> = {
  expired: 'text-bad-text',
  error: 'text-warning-text',
  pending: 'text-neutral-11',
  failed: 'text-neutral-11',
}
