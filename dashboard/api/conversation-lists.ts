import { infiniteQueryOptions } from '@tanstack/react-query'
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
