import { refreshApprovals } from '../../../api/approvals.ts'
import { api } from '../../../api/client.ts'
import {
  conversationQuery,
  conversationRunsQuery,
  type Message,
  type NewMessage,
  refreshConversationLists,
} from '../../../api/conversations.ts'
import { queryClient } from '../../../api/query-client.ts'
import { randomId } from '../../../state/random-id.ts'
import { createStore } from '../../../state/store.ts'
import { applyFrames } from './apply-frames.ts'
import {
  type ConversationState,
  INITIAL_STATE,
  newestSeq,
  type OutgoingMessage,
  withMessages,
  withRun,
} from './conversation-state.ts'
import { type Frame, followSession } from './follow-session.ts'

const PAGE_SIZE = 50
const CATCH_UP_SIZE = 100

/** Holds one open conversation's state outside React. `start` connects and returns the disconnect function. */
export function openConversation(id: string) {
  const store = createStore<ConversationState>(INITIAL_STATE)
  let stop = () => {}
  const set = (change: Partial<ConversationState>) => store.set({ ...store.get(), ...change })

  /** Called when the stream is ready: later messages arrive as events. */
  async function load() {
    try {
      if (store.get().isLoaded) await readNewer()
      else await readNewest()
      set({ error: null })
    } catch (error) {
      set({ error })
    }
  }

  async function readNewest() {
    const { items, nextCursor } = await api.sessions.messages({ id, limit: PAGE_SIZE })
    const older = { cursor: nextCursor, isLoading: false, error: null }
    set({ messages: withMessages(store.get().messages, items), isLoaded: true, older })
  }

  /** Leaves no gap after the loaded messages. */
  async function readNewer() {
    for (let hasMore = true; hasMore; ) {
      const after = newestSeq(store.get().messages)
      const { items, nextCursor } = await api.sessions.messages({ id, after, limit: CATCH_UP_SIZE })
      set({ messages: withMessages(store.get().messages, items) })
      hasMore = nextCursor !== null
    }
  }

  /** One page, or pages down to a message's number. */
  async function loadOlder(downTo = Number.POSITIVE_INFINITY) {
    const { cursor, isLoading } = store.get().older
    if (cursor === null || isLoading) return
    set({ older: { cursor, isLoading: true, error: null } })
    const limit = Number.isFinite(downTo) ? CATCH_UP_SIZE : PAGE_SIZE
    const loaded: Message[] = []
    let next: string | null = cursor
    try {
      while (next !== null && !loaded.some(({ seq }) => seq <= downTo)) {
        const page = await api.sessions.messages({ id, limit, cursor: next })
        loaded.push(...page.items)
        next = page.nextCursor
      }
      const older = { cursor: next, isLoading: false, error: null }
      set({ messages: withMessages(store.get().messages, loaded), older })
    } catch (error) {
      set({ older: { cursor, isLoading: false, error } })
    }
  }

  function onFrames(frames: readonly Frame[]) {
    const { state, isBroken } = applyFrames(store.get(), frames, Date.now())
    store.set(state)
    for (const frame of frames) onFrame(frame)
    if (isBroken) {
      store.set({ ...store.get(), views: new Map() })
      connect()
    }
  }

  function onFrame({ name, data }: Frame) {
    if (name === 'ready') {
      queryClient.setQueryData(conversationQuery(id).queryKey, data.session)
      // The lists may have been read before the last run ended.
      void refreshConversationLists()
      refreshRuns()
      if (!data.isResumed || !store.get().isLoaded) void load()
    } else if (name === 'session') {
      queryClient.setQueryData(conversationQuery(id).queryKey, data)
      void refreshConversationLists()
    } else if (name === 'approval') void refreshApprovals()
    else if (name === 'run' && (data.type === 'step.finished' || data.type === 'run.finished')) refreshRuns()
  }

  const refreshRuns = () =>
    void queryClient.invalidateQueries({ queryKey: conversationRunsQuery(id).queryKey })

  function connect() {
    stop()
    stop = followSession(id, { onFrames, onConnection: (connection) => set({ connection }) })
  }

  async function deliver(outgoing: OutgoingMessage) {
    const otherOutgoing = () => store.get().outgoing.filter(({ key }) => key !== outgoing.key)
    set({ outgoing: [...otherOutgoing(), { ...outgoing, error: null }] })
    const { key, message, interrupt } = outgoing
    try {
      const sent = await api.sessions.send({ id, ...message, interrupt }, { idempotencyKey: key })
      const state = withRun(store.get(), sent.run.id)
      const messages = withMessages(state.messages, [sent.message])
      store.set({ ...state, messages, outgoing: otherOutgoing() })
      void refreshConversationLists()
    } catch (error) {
      set({ outgoing: [...otherOutgoing(), { ...outgoing, error }] })
    }
  }

  return {
    id,
    store,
    load,
    loadOlder,

    start() {
      connect()
      return () => {
        stop()
        stop = () => {}
      }
    },

    replaceMessage: (message: Message) => set({ messages: withMessages(store.get().messages, [message]) }),
    addRun: (runId: string) => store.set(withRun(store.get(), runId)),
    send: (message: NewMessage, attachmentNames: readonly string[], interrupt: boolean) =>
      deliver({ key: randomId(), message, attachmentNames, interrupt, error: null }),
    resend: deliver,
    discard: (key: string) =>
      set({ outgoing: store.get().outgoing.filter((outgoing) => outgoing.key !== key) }),
  }
}

export type OpenConversation = ReturnType<typeof openConversation>
