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
/** The run's page goes on below them. */
const FIRST_ITEMS = 20
const MORE_ITEMS = 100
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
      api.forEach.items(
        { id: runId, ...filter, limit: cursor ? MORE_ITEMS : FIRST_ITEMS, cursor },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      isLive && (data?.pages.length ?? 0) <= LIVE_PAGES_MAX ? LIVE_REFETCH_MS : false,
  })

export const refreshLists = (runId: string) =>
  Promise.all(
    ['lists', 'items'].map((name) => queryClient.invalidateQueries({ queryKey: ['runs', name, runId] })),
  )

export const formsQuery = infiniteQueryOptions({
  queryKey: ['forms', 'open'] as const,
  queryFn: ({ pageParam: cursor, signal }) => api.forms.list({ limit: PAGE_SIZE, cursor }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  refetchInterval: 15_000,
})

export const formQuery = (id: string) =>
  queryOptions({ queryKey: ['forms', 'one', id], queryFn: ({ signal }) => api.forms.get({ id }, { signal }) })

const RUN_FORMS_MAX = 100

/** Newest first. */
export const runFormsQuery = (runId: string, isLive = false) =>
  queryOptions({
    queryKey: ['forms', 'run', runId],
    queryFn: async ({ signal }) => (await api.forms.list({ runId, limit: RUN_FORMS_MAX }, { signal })).items,
    refetchInterval: isLive ? LIVE_REFETCH_MS : false,
  })

export const refreshForms = () => queryClient.invalidateQueries({ queryKey: ['forms'] })
