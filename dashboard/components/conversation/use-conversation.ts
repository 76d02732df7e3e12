import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { conversationQuery, conversationRunsQuery } from '../../api/conversations.ts'
import { openConversation } from './store/open-conversation.ts'
import { useCutOffs } from './use-cut-offs.ts'
import { entriesOf } from './view/entries.ts'
import { isRunEnded } from './view/run-view.ts'

/** Opens a conversation and follows it while the component is mounted. */
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
    () => entriesOf({ messages: messages.sent, views, records, attempts }),
    [messages.sent, views, records, attempts],
  )
  const active = useMemo(() => [...views.values()].find((view) => !isRunEnded(view)), [views])
  return { open, state, conversation, entries, active, latestRun: runs.data?.items[0] }
}
