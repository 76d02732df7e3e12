import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { queryClient } from '../query-client.ts'
import { connectionApi } from './connection-api.ts'

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

/** The recent events that this filter selects. */
export const filterPreviewQuery = (id: string, filter: string) =>
  queryOptions({
    queryKey: ['connector-endpoints', 'tried', id, filter] as const,
    queryFn: ({ signal }) => connectionApi.connectorEndpoints.tryFilter({ id, filter }, { signal }),
    retry: false,
  })

/** The replies that wait for approval. */
export const waitingRepliesQuery = infiniteQueryOptions({
  queryKey: ['connector-endpoints', 'replies'] as const,
  queryFn: ({ pageParam: cursor, signal }) =>
    connectionApi.connectorEndpoints.replies({ limit: EVENTS_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchInterval: LIVE_MS,
})

export const refreshEndpoints = () => queryClient.invalidateQueries({ queryKey: ['connector-endpoints'] })
