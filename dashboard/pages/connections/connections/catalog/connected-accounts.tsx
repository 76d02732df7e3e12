import { Link } from '@tanstack/react-router'
import type { Connection } from '../../../../api/connections/connections.ts'
import { accountOf, ConnectionStatus } from '../../../../components/connectors/connection-labels.tsx'
import { Name } from '../../../../components/name.tsx'

/** The connections with one connector, by account. */
export function ConnectedAccounts({ connections }: { connections: Connection[] }) {
  return (
    <ul className="-mx-8">
      {connections.map((connection) => (
        <li key={connection.id}>
          <Link
            to="/connections/$id"
            params={{ id: connection.id }}
            className="flex min-h-32 items-center gap-12 rounded-control px-8 text-13 hover:bg-neutral-3"
          >
            <span className="min-w-0 flex-1 truncate">
              <Name>{accountOf(connection) ?? connection.connector.name}</Name>
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
