import lines from 'virtual:connection-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf, RequestOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'
import { refreshCounts } from './sidebar.ts'

/** Routes load with their pages. */
export const connectionApi = signedInApi<LateContract<'connection'>>(lines)

export type Connector = OutputOf<Contract['connectors']['get']>
export type Connection = OutputOf<Contract['connections']['get']>
export type ConnectionCall = OutputOf<Contract['connections']['calls']>['items'][number]

const POLL_MS = 3000

/** The whole catalog, because the page filters it during typing. */
export const connectorsQuery = queryOptions({
  queryKey: ['connectors'] as const,
  queryFn: ({ signal }) => connectionApi.connectors.list({}, { signal }),
  staleTime: 60_000,
})

/** Includes shared ones. Newest first. */
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

export const refreshConnections = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['connections'] }), refreshCounts()])

export async function cacheConnection(connection: Connection): Promise<void> {
  queryClient.setQueryData(connectionQuery(connection.id).queryKey, connection)
  await refreshConnections()
}

export const refreshConnectors = () => queryClient.invalidateQueries({ queryKey: ['connectors'] })

type Endpoints = Contract['connectorEndpoints']
export type ConnectorEndpoint = OutputOf<Endpoints['list']>['items'][number]
export type CreatedEndpoint = OutputOf<Endpoints['create']>
export type ProviderEvent = OutputOf<Endpoints['events']>['items'][number]
export type ObservedEndpoint = OutputOf<Endpoints['observeEndpoints']>['items'][number]
export type ObservedEvent = OutputOf<Endpoints['observeEvents']>['items'][number]
export type WaitingReply = OutputOf<Endpoints['replies']>['items'][number]

const PAGE_SIZE = 100
const EVENTS_SIZE = 20
const LIVE_MS = 5000

export const endpointsQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['connector-endpoints', 'list', connectionId] as const,
    queryFn: ({ signal }) =>
      connectionApi.connectorEndpoints.list({ connectionId, limit: PAGE_SIZE }, { signal }),
    refetchInterval: LIVE_MS,
  })

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['connector-endpoints', 'one', id] as const,
    queryFn: ({ signal }) => connectionApi.connectorEndpoints.get({ id }, { signal }),
  })

export const endpointEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['connector-endpoints', 'events', id] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      connectionApi.connectorEndpoints.events({ id, limit: EVENTS_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: LIVE_MS,
  })

export const filterPreviewQuery = (id: string, filter: string) =>
  queryOptions({
    queryKey: ['connector-endpoints', 'tried', id, filter] as const,
    queryFn: ({ signal }) => connectionApi.connectorEndpoints.tryFilter({ id, filter }, { signal }),
    retry: false,
  })

export const waitingRepliesQuery = infiniteQueryOptions({
  queryKey: ['connector-endpoints', 'replies'] as const,
  queryFn: ({ pageParam: cursor, signal }) =>
    connectionApi.connectorEndpoints.replies({ limit: EVENTS_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchInterval: LIVE_MS,
})

export const refreshEndpoints = () => queryClient.invalidateQueries({ queryKey: ['connector-endpoints'] })

type CustomConnectors = Contract['customConnectors']
export type CustomConnector = OutputOf<CustomConnectors['get']>
export type NewCustomConnector = RequestOf<CustomConnectors['create']>
export type ApiDocument = OutputOf<CustomConnectors['readOpenapi']>
export type Operation = ApiDocument['operations'][number]

export const customConnectorsQuery = queryOptions({
  queryKey: ['custom-connectors', 'list'] as const,
  queryFn: ({ signal }) => connectionApi.customConnectors.list(undefined, { signal }),
})

export const customConnectorQuery = (slug: string) =>
  queryOptions({
    queryKey: ['custom-connectors', 'item', slug] as const,
    queryFn: ({ signal }) => connectionApi.customConnectors.get({ slug }, { signal }),
  })

export const refreshCustomConnectors = () =>
  Promise.all(
    ['custom-connectors', 'connectors'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
