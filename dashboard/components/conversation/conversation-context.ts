import { useQuery } from '@tanstack/react-query'
import { createContext, use, useEffect, useMemo, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import {
  type Conversation,
  conversationQuery,
  conversationRunsQuery,
  type ListedConversation,
} from '../../api/conversations.ts'
import type { AgentRun, AgentStep } from '../../api/runs.ts'
import { type OpenConversation, openConversation } from './store/open-conversation.ts'
import { groupAnswers } from './view/answers.ts'
import { buildConversationEntries } from './view/entries.ts'
import { isRunEnded } from './view/run-view.ts'

interface ConversationContextValue {
  open: OpenConversation
  conversation: Conversation
  /** The reader can edit the project, and the conversation hasn't ended. */
  canWrite: boolean
  branches: readonly ListedConversation[]
  onOpen: (id: string) => void
  onCompose: (text: string) => void
}

const Value = createContext<ConversationContextValue | null>(null)

export const ConversationContext = Value.Provider

export function useOpenConversation(): ConversationContextValue {
  const value = use(Value)
  if (!value) throw new Error(t`Conversation component rendered outside a conversation`)
  return value
}

export function useConversation(sessionId: string) {
  const [open] = useState(() => openConversation(sessionId))
  const state = open.store.use()
  const conversation = useQuery(conversationQuery(sessionId))
  const runs = useQuery(conversationRunsQuery(sessionId))

  useEffect(() => open.start(), [open])

  const records = useMemo(() => new Map(runs.data?.items.map((run) => [run.id, run])), [runs.data])
  const { messages, views } = state
  const attempts = useCutOffs(runs.data?.items ?? [], views)
  const entries = useMemo(
    () =>
      groupAnswers(buildConversationEntries({ messages: messages.sent, views, records, attempts }), {
        messages: messages.sent,
        views,
        records,
      }),
    [messages.sent, views, records, attempts],
  )
  const active = useMemo(() => [...views.values()].find((view) => !isRunEnded(view)), [views])
  return { open, state, conversation, entries, active, latestRun: runs.data?.items[0] }
}

/** One request each. A conversation rarely has more. */
const RUNS_MAX = 20

const NONE: ReadonlyMap<string, readonly AgentStep[]> = new Map()

/** Skips followed runs, since their events contain the attempts. */
function useCutOffs(
  runs: readonly AgentRun[],
  followed: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly AgentStep[]> {
  const runsWithCutOffs = runs.filter(({ id, cutOffAttempts }) => cutOffAttempts > 0 && !followed.has(id))
  const ids = runsWithCutOffs.slice(0, RUNS_MAX).map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['agent-runs', 'cut-off', ...ids],
    queryFn: async ({ signal }) =>
      new Map(
        await Promise.all(
          ids.map(async (id) => [id, (await api.agentRuns.steps({ id }, { signal })).items] as const),
        ),
      ),
    enabled: ids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}
