import { useQuery } from '@tanstack/react-query'
import { type Connection, connectorsQuery } from '../../../api/connections/connections.ts'
import { useSession } from '../../../api/session.ts'
import { accountOf, nameOf } from '../../../components/connectors/connection-labels.tsx'
import { Table } from '../../../components/table/table.tsx'
import { connectionColumns } from './connection-columns.tsx'

interface MyConnectionsProps {
  connections: Connection[]
  /** The words of the search. */
  words: string
}

/** The connections of the person, and those that others share. */
export function MyConnections({ connections, words }: MyConnectionsProps) {
  const { user } = useSession()
  const connectors = useQuery(connectorsQuery).data?.items ?? []
  const query = words.trim().toLowerCase()
  const matchingConnections = connections.filter((each) =>
    `${nameOf(each)} ${accountOf(each) ?? ''} ${each.account?.email ?? ''}`.toLowerCase().includes(query),
  )
  if (connections.length > 0 && matchingConnections.length === 0) return null
  return (
    <section aria-labelledby="my-connections">
      <h2 id="my-connections" className="px-16 pt-24 pb-8 font-strong md:px-24">
        Your connections
      </h2>
      {connections.length === 0 ? (
        <p className="max-w-reading px-16 text-neutral-11 md:px-24">
          None yet. Connect a service below: agents then work there in your name, with the permissions that
          you give.
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
