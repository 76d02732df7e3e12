import lines from 'virtual:source-routes'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import { type LateContract, signedInApi } from './client.ts'
import { queryClient } from './query-client.ts'

type Sources = LateContract<'source'>['sources']
export type Source = OutputOf<Sources['get']>
export type SourceLogEntry = OutputOf<Sources['log']>['items'][number]
export type Reader = OutputOf<Sources['readers']>['items'][number]

export const sourceApi = signedInApi<LateContract<'source'>>(lines)

const PAGE_SIZE = 50
const SYNCING_MS = 2000
const IDLE_MS = 15_000

/** Refetches while visible: syncs start on their own. */
export const sourcesQuery = (projectId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['sources', 'list', projectId ?? ''] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      sourceApi.sources.list({ limit: PAGE_SIZE, cursor, projectId }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isBusy)) ? SYNCING_MS : IDLE_MS,
  })

export const isBusy = ({ state, lastSyncedAt }: Source) =>
  state === 'syncing' || (state === 'waiting' && lastSyncedAt === null)

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', 'item', id] as const,
    queryFn: ({ signal }) => sourceApi.sources.get({ id }, { signal }),
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? SYNCING_MS : IDLE_MS),
  })

export const sourceLogQuery = (id: string, isLive: boolean) =>
  infiniteQueryOptions({
    queryKey: ['sources', 'log', id] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      sourceApi.sources.log({ id, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: isLive ? SYNCING_MS : IDLE_MS,
  })

export const readersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['sources', 'readers', projectId] as const,
    queryFn: ({ signal }) => sourceApi.sources.readers({ projectId }, { signal }),
    enabled: projectId !== '',
  })

export const refreshSources = () => queryClient.invalidateQueries({ queryKey: ['sources'] })
