import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

const PAGE_SIZE = 50

interface ConversationFilter {
  projectId?: string
  agentId?: string
  search?: string
}

export const conversationsQuery = (filter: ConversationFilter) =>
  infiniteQueryOptions({
    queryKey: ['conversations', 'list', filter] as const,
    queryFn: ({ pageParam: cursor, signal }) =>
      api.sessions.list({ ...filter, limit: PAGE_SIZE, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** Conversations in which the text occurs. */
export const conversationsNamedQuery = (search: string, limit: number) =>
  queryOptions({
    queryKey: ['conversations', 'named', search, limit],
    queryFn: ({ signal }) => api.sessions.list({ search, limit }, { signal }),
  })
