import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { modelListQuery } from './models.ts'
import { queryClient } from './query-client.ts'

export type Agent = OutputOf<Contract['agents']['get']>
export type AgentVersion = OutputOf<Contract['agents']['versions']>['items'][number]

const PAGE_SIZE = 50
const VERSIONS_SIZE = 20

export interface AgentFilter {
  q?: string
  archived?: boolean
}

export const agentsQuery = ({ q, archived }: AgentFilter) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'list', { q, archived }] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      api.agents.list(
        { q, sort: 'name', archived: archived ? 'true' : undefined, limit: PAGE_SIZE, cursor },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

const CHOICES_MAX = 100

export const agentChoicesQuery = queryOptions({
  queryKey: ['agents', 'choices'],
  queryFn: ({ signal }) => api.agents.list({ sort: 'name', limit: CHOICES_MAX }, { signal }),
  staleTime: 30_000,
})

/** Agents without an emoji or image are left out. */
export const agentFacesQuery = queryOptions({
  queryKey: ['agents', 'faces'],
  queryFn: ({ signal }) => api.agents.faces(undefined, { signal }),
  staleTime: 300_000,
  select: ({ items }) => new Map(items.map(({ agentId, ...face }) => [agentId, face])),
})

export const modelsQuery = queryOptions({ ...modelListQuery, select: ({ items }) => items })

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', 'item', id],
    queryFn: ({ signal }) => api.agents.get({ id }, { signal }),
  })

export const versionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['agents', 'versions', id],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.agents.versions({ id, limit: VERSIONS_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

export async function cacheAgent(agent: Agent): Promise<void> {
  queryClient.setQueryData(agentQuery(agent.id).queryKey, agent)
  await queryClient.invalidateQueries({ queryKey: ['agents'] })
}

export const ifMatchVersion = (version: number) => ({ ifMatch: `"${version}"` })
