import type { NewMessage } from '../../../api/conversations.ts'
import type { Connection } from '../../../live/follow.ts'
import type { RunView } from '../view/run-view.ts'
import { EMPTY_LIST, type MessageList } from './message-list.ts'

/** A message on its way to the server. */
export interface Outgoing {
  /** The idempotency key: a repeated attempt sends no second message. */
  key: string
  message: NewMessage
  /** The names of its files and blocks. */
  attached: readonly string[]
  interrupt: boolean
  error: unknown
}

export interface ConversationState {
  messages: MessageList
  views: ReadonlyMap<string, RunView>
  outgoing: readonly Outgoing[]
  /** The first page is loaded. */
  isLoaded: boolean
  error: unknown
  older: { cursor: string | null; isLoading: boolean; error: unknown }
  connection: Connection
}

export const INITIAL_STATE: ConversationState = {
  messages: EMPTY_LIST,
  views: new Map(),
  outgoing: [],
  isLoaded: false,
  error: null,
  older: { cursor: null, isLoading: false, error: null },
  connection: 'connecting',
}
