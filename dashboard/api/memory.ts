import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { countsQuery } from './sidebar.ts'

export type Memory = OutputOf<Contract['memory']['get']>
export type MemoryVersion = OutputOf<Contract['memory']['versions']>['items'][number]

const PAGE_SIZE = 50
const VERSIONS_SIZE = 20

export interface MemoryFilter {
  q?: string
  /** A project, or `org` for the organization's memory. */
  space?: string
  status: 'active' | 'proposed'
}

export const memoriesQuery = ({ q, space, status }: MemoryFilter) =>
  infiniteQueryOptions({
    queryKey: ['memory', 'list', { q, space, status }] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      api.memory.list({ q, ...scopeParameters(space), status, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export const scopeParameters = (space: string | undefined) =>
  space === undefined ? {} : space === 'org' ? { scope: 'org' as const } : { projectId: space }

export const memoryQuery = (id: string) =>
  queryOptions({
    queryKey: ['memory', 'item', id],
    queryFn: ({ signal }) => api.memory.get({ id }, { signal }),
  })

export const memoryVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['memory', 'versions', id],
    queryFn: ({ signal }) => api.memory.versions({ id, limit: VERSIONS_SIZE }, { signal }),
  })

export const refreshMemory = () =>
  Promise.all(
    [['memory'], countsQuery.queryKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
