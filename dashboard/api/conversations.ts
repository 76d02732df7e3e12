import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'
import { organizationApi } from './organizations.ts'
import { queryClient } from './query-client.ts'

export type Conversation = OutputOf<Contract['sessions']['get']>
export type ListedConversation = OutputOf<Contract['sessions']['list']>['items'][number]
export type Message = OutputOf<Contract['sessions']['messages']>['items'][number]

export type Citation = Message['citations'][number]

export interface NewMessage {
  content: string
  fileIds?: string[]
  blockIds?: string[]
}

const LARGE_PAGE = 100
const NAMES_STALE_MS = 60_000
const NAME_PAGES_MAX = 10

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversations', 'item', id],
    queryFn: ({ signal }) => api.sessions.get({ id }, { signal }),
  })

export const branchesQuery = ({ id, projectId }: Pick<Conversation, 'id' | 'projectId'>) =>
  queryOptions({
    queryKey: ['conversations', 'list', 'branches', id],
    queryFn: ({ signal }) =>
      api.sessions.list({ projectId, branchedFrom: id, limit: LARGE_PAGE }, { signal }),
  })

/** The newest runs only. */
export const conversationRunsQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversations', 'runs', id],
    queryFn: ({ signal }) => api.agentRuns.list({ sessionId: id, limit: LARGE_PAGE }, { signal }),
  })

/** `version` changes with the run. */
export const runStepsQuery = (runId: string, version: string | number) =>
  queryOptions({
    queryKey: ['agent-runs', 'steps', runId, version],
    queryFn: ({ signal }) => api.agentRuns.steps({ id: runId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** For message authors. */
export const memberNamesQuery = queryOptions({
  queryKey: ['conversations', 'members'],
  queryFn: async ({ signal }) => {
    const names = new Map<string, string>()
    for (
      let cursor: string | undefined, pages = 0;
      pages === 0 || (cursor && pages < NAME_PAGES_MAX);
      pages++
    ) {
      const page = await organizationApi.organization.members({ limit: LARGE_PAGE, cursor }, { signal })
      for (const { id, name } of page.items) names.set(id, name)
      cursor = page.nextCursor ?? undefined
    }
    return names
  },
  staleTime: NAMES_STALE_MS,
})

export async function cacheConversation(conversation: Conversation): Promise<void> {
  queryClient.setQueryData(conversationQuery(conversation.id).queryKey, conversation)
  await refreshConversationLists()
}

export const refreshConversationLists = () =>
  queryClient.invalidateQueries({ queryKey: ['conversations', 'list'] })

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
