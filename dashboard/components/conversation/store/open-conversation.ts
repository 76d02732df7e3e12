import { api } from '../../../api/client.ts'
import {
  type Conversation,
  conversationQuery,
  conversationRunsQuery,
  type NewMessage,
  refreshConversationLists,
} from '../../../api/conversations.ts'
import { queryClient } from '../../../api/query-client.ts'
import { randomId } from '../../../state/random-id.ts'
import { createStore } from '../../../state/store.ts'
import { applyEvent, isGap } from '../view/apply-event.ts'
import { isRunEnded, type NumberedEvent, newRunView } from '../view/run-view.ts'
import { type ConversationState, INITIAL_STATE, type Outgoing } from './conversation-state.ts'
import { followRun } from './follow-run.ts'
import { newestLoaded, newestSeq, withMessages } from './message-list.ts'

const PAGE_SIZE = 50
const CATCH_UP_SIZE = 100

/** The state of one open conversation, outside of React. `start` connects it and returns the function that disconnects it. */
export function openConversation(id: string) {
  const store = createStore<ConversationState>(INITIAL_STATE)
  const followed = new Map<string, () => void>()
  let catchingUp: Promise<void> | undefined
  let isStale = false
  let isStopped = true
  const set = (change: Partial<ConversationState>) => store.set({ ...store.get(), ...change })

  async function load() {
    try {
      const { items, nextCursor } = await api.sessions.messages({ id, limit: PAGE_SIZE })
      const { messages } = store.get()
      set({
        messages: withMessages(messages, items),
        isLoaded: true,
        error: null,
        older: { cursor: nextCursor, isLoading: false, error: null },
      })
    } catch (error) {
      set({ error })
    }
  }

  async function loadOlder() {
    const { cursor, isLoading } = store.get().older
    if (cursor === null || isLoading) return
    set({ older: { cursor, isLoading: true, error: null } })
    try {
      const { items, nextCursor } = await api.sessions.messages({ id, limit: PAGE_SIZE, cursor })
      set({
        messages: withMessages(store.get().messages, items),
        older: { cursor: nextCursor, isLoading: false, error: null },
      })
    } catch (error) {
      set({ older: { cursor, isLoading: false, error } })
    }
  }

  /** Reads the messages that are newer than the known ones. A request during one is answered by the next. */
  function catchUp(): Promise<void> {
    isStale = true
    catchingUp ??= readNewer().finally(() => {
      catchingUp = undefined
    })
    return catchingUp
  }

  async function readNewer() {
    while (isStale && store.get().isLoaded) {
      isStale = false
      try {
        const after = newestSeq(store.get().messages)
        const { items, nextCursor } = await api.sessions.messages({ id, after, limit: CATCH_UP_SIZE })
        set({ messages: withMessages(store.get().messages, items) })
        if (nextCursor !== null) isStale = true
      } catch {
        // The next event or refetch of the conversation reads them.
        return
      }
    }
  }

  function onRunEvent(runId: string, event: NumberedEvent): boolean {
    const { views } = store.get()
    const view = views.get(runId) ?? newRunView(runId)
    if (isGap(view, event)) return false
    const next = applyEvent(view, event)
    if (next === view) return true
    set({ views: new Map(views).set(runId, next) })
    if (event.type === 'message' || event.type === 'run.finished') void catchUp()
    if (event.type === 'step.finished' || event.type === 'run.finished') refresh()
    return true
  }

  /** The cost, the status and the errors of the runs. */
  function refresh() {
    void queryClient.invalidateQueries({ queryKey: conversationQuery(id).queryKey })
    void queryClient.invalidateQueries({ queryKey: conversationRunsQuery(id).queryKey })
  }

  function follow(runId: string) {
    if (isStopped || followed.has(runId)) return
    const { views } = store.get()
    if (!views.has(runId)) set({ views: new Map(views).set(runId, newRunView(runId)) })
    const stop = followRun(runId, {
      after: () => store.get().views.get(runId)?.seq ?? 0,
      onEvent: (event) => onRunEvent(runId, event),
      isEnded: () => isRunEnded(store.get().views.get(runId) ?? newRunView(runId)),
      onConnection: (connection) => set({ connection }),
    })
    followed.set(runId, stop)
  }

  async function deliver(outgoing: Outgoing) {
    const others = () => store.get().outgoing.filter(({ key }) => key !== outgoing.key)
    set({ outgoing: [...others(), { ...outgoing, error: null }] })
    const { key, message, interrupt } = outgoing
    try {
      const sent = await api.sessions.send({ id, ...message, interrupt }, { idempotencyKey: key })
      set({ messages: withMessages(store.get().messages, [sent.message]), outgoing: others() })
      follow(sent.run.id)
      refresh()
      void refreshConversationLists()
    } catch (error) {
      set({ outgoing: [...others(), { ...outgoing, error }] })
    }
  }

  return {
    id,
    store,
    load,
    loadOlder,
    catchUp,
    follow,
    refresh,

    start() {
      isStopped = false
      if (!store.get().isLoaded) void load()
      return () => {
        isStopped = true
        for (const stop of followed.values()) stop()
        followed.clear()
      }
    },

    /** The conversation as the server has it now: another member may have written, or a run may have started. */
    onConversation({ activeRunId, messageCount }: Conversation) {
      if (activeRunId !== null) follow(activeRunId)
      if (messageCount > newestLoaded(store.get().messages)) void catchUp()
    },

    send: (message: NewMessage, attached: readonly string[], interrupt: boolean) =>
      deliver({ key: randomId(), message, attached, interrupt, error: null }),
    resend: deliver,
    discard: (key: string) =>
      set({ outgoing: store.get().outgoing.filter((outgoing) => outgoing.key !== key) }),
  }
}

export type OpenConversation = ReturnType<typeof openConversation>
