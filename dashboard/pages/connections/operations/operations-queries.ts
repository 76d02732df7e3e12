import { infiniteQueryOptions } from '@tanstack/react-query'
import { connectionApi } from '../../../api/connections.ts'

const PAGE_SIZE = 50
const REFRESH_MS = 10_000

export const observedEndpointsQuery = infiniteQueryOptions({
  queryKey: ['observed-endpoints'] as const,
  queryFn: ({ pageParam: cursor, signal }) =>
    connectionApi.connectorEndpoints.observeEndpoints({ limit: PAGE_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchInterval: REFRESH_MS,
})

export const observedEventsQuery = (endpointId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['observed-events', endpointId] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      connectionApi.connectorEndpoints.observeEvents({ endpointId, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFRESH_MS,
  })
