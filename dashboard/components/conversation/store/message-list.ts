import type { Message } from '../../../api/conversations.ts'

/** The known messages of a conversation, by number, without gaps between the oldest and the newest. */
export interface MessageList {
  sent: readonly Message[]
  /** Queued messages, which get a new number when a run takes them up. */
  queued: readonly Message[]
}

export const EMPTY_LIST: MessageList = { sent: [], queued: [] }

/** Adds messages, or replaces them: a queued message that was sent has another number. */
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

/** The number of the newest sent message; zero if there is none. */
export const newestSeq = ({ sent }: MessageList) => sent.at(-1)?.seq ?? 0
