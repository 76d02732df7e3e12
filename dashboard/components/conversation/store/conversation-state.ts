import type { Message, NewMessage } from '../../../api/conversations.ts'
import type { Connection } from '../../../live/follow.ts'
import { isRunEnded, newRunView, type RunView } from '../view/run-view.ts'

export interface OutgoingMessage {
  /** Idempotency key: a repeated attempt sends no second message. */
  key: string
  message: NewMessage
  attachmentNames: readonly string[]
  interrupt: boolean
  error: unknown
}

export interface ConversationState {
  messages: MessageList
  views: ReadonlyMap<string, RunView>
  outgoing: readonly OutgoingMessage[]
  isLoaded: boolean
  error: unknown
  older: { cursor: string | null; isLoading: boolean; error: unknown }
  connection: Connection
  /** `until`: when to hide the name. */
  typing: ReadonlyMap<string, { name: string; until: number }>
}

const EMPTY_LIST: MessageList = { sent: [], queued: [] }

export const INITIAL_STATE: ConversationState = {
  messages: EMPTY_LIST,
  views: new Map(),
  outgoing: [],
  isLoaded: false,
  error: null,
  older: { cursor: null, isLoading: false, error: null },
  connection: 'connecting',
  typing: new Map(),
}

/** A started run is active before its first event arrives. */
export const withRun = (state: ConversationState, runId: string): ConversationState =>
  state.views.has(runId) ? state : { ...state, views: new Map(state.views).set(runId, newRunView(runId)) }

/** Drops runs that ended while the stream wasn't followed: their messages are stored. */
export function withoutLostRuns(state: ConversationState, activeRunId: string | null): ConversationState {
  const views = [...state.views].filter(([id, view]) => isRunEnded(view) || id === activeRunId)
  return views.length === state.views.size ? state : { ...state, views: new Map(views) }
}

/** Ordered by number, without gaps between oldest and newest. */
interface MessageList {
  sent: readonly Message[]
  /** Get a new number when a run takes them up. */
  queued: readonly Message[]
}

/** Replaces known messages: a queued message gets another number once sent. */
export function withMessages(list: MessageList, added: readonly Message[]): MessageList {
  if (added.length === 0) return list
  const ids = new Set(added.map(({ id }) => id))
  const known = [...list.sent, ...list.queued].filter(({ id }) => !ids.has(id))
  const all = [...known, ...added].toSorted((a, b) => a.seq - b.seq)
  return {
    sent: all.filter(({ state }) => state === 'sent'),
    queued: all.filter(({ state }) => state === 'queued'),
  }
}

export const newestSeq = ({ sent }: MessageList) => sent.at(-1)?.seq ?? 0
