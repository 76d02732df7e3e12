import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { queryClient } from '../query-client.ts'
import { connectionApi } from './connection-api.ts'

export type Connector = OutputOf<Contract['connectors']['get']>
export type Connection = OutputOf<Contract['connections']['get']>
export type ConnectionCall = OutputOf<Contract['connections']['calls']>['items'][number]

const POLL_MS = 3000

/** The whole catalog: the page filters it while the person types. */
export const connectorsQuery = queryOptions({
  queryKey: ['connectors'] as const,
  queryFn: ({ signal }) => connectionApi.connectors.list({}, { signal }),
  staleTime: 60_000,
})

/** The connections of the person and those that others share, newest first. */
export const connectionsQuery = queryOptions({
  queryKey: ['connections', 'list'] as const,
  queryFn: ({ signal }) => connectionApi.connections.list({ shared: 'true' }, { signal }),
  // Another tab completes a pending connection. Its message can be lost, for example in a private window.
  refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? POLL_MS : false),
})

export const connectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['connections', 'item', id] as const,
    queryFn: ({ signal }) => connectionApi.connections.get({ id }, { signal }),
    refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? POLL_MS : false),
  })

export const connectionCallsQuery = (id: string) =>
  queryOptions({
    queryKey: ['connections', 'calls', id] as const,
    queryFn: ({ signal }) => connectionApi.connections.calls({ id }, { signal }),
  })

const isWaiting = ({ status }: Connection) => status === 'pending'

export const refreshConnections = () => queryClient.invalidateQueries({ queryKey: ['connections'] })

/** Shows a changed connection immediately, and reads the lists again. */
export async function cacheConnection(connection: Connection): Promise<void> {
  queryClient.setQueryData(connectionQuery(connection.id).queryKey, connection)
  await refreshConnections()
}

export const refreshConnectors = () => queryClient.invalidateQueries({ queryKey: ['connectors'] })
