import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

export type ItemList = OutputOf<Contract['forEach']['lists']>['items'][number]
export type ListItem = OutputOf<Contract['forEach']['items']>['items'][number]
export type Form = OutputOf<Contract['forms']['get']>

const LIVE_REFETCH_MS = 3000
const PAGE_SIZE = 50
/** Longer lists refetch on focus only. */
const LIVE_PAGES_MAX = 2

export const listsQuery = (runId: string, isLive: boolean) =>
  queryOptions({
    queryKey: ['runs', 'lists', runId],
    queryFn: ({ signal }) => api.forEach.lists({ id: runId }, { signal }),
    refetchInterval: isLive ? LIVE_REFETCH_MS : false,
  })

export const itemsQuery = (
  runId: string,
  filter: { listId: string; state?: ListItem['state'] },
  isLive: boolean,
) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'items', runId, filter] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      api.forEach.items({ id: runId, ...filter, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      isLive && (data?.pages.length ?? 0) <= LIVE_PAGES_MAX ? LIVE_REFETCH_MS : false,
  })

export const formsQuery = infiniteQueryOptions({
  queryKey: ['forms', 'open'] as const,
  queryFn: ({ pageParam: cursor, signal }) => api.forms.list({ limit: PAGE_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchInterval: 15_000,
})

export const formQuery = (id: string) =>
  queryOptions({ queryKey: ['forms', 'one', id], queryFn: ({ signal }) => api.forms.get({ id }, { signal }) })

export const refreshForms = () => queryClient.invalidateQueries({ queryKey: ['forms'] })
