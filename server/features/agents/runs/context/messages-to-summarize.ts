import type { MessageRow } from '../../conversations/conversations.ts'

/** The number of exchanges at the end of a conversation that are not summarized. */
const EXCHANGES_KEPT = 3

/**
 * The messages that the next summary replaces: the messages after the last summary, without the first message and the
 * newest exchanges. An exchange is a message of a person with the messages up to the next message of a person. If no
 * message is older than the newest exchanges, an exchange is an answer of the model with its calls, and the newest
 * message of a person stays in the context beside the summary.
 */
export function messagesToSummarize(recent: readonly MessageRow[]): MessageRow[] {
  const byPeople = messagesBefore(recent, startOf(recent, 'user'))
  return byPeople.length > 0 ? byPeople : messagesBefore(recent, startOf(recent, 'assistant'))
}

const startOf = (recent: readonly MessageRow[], role: MessageRow['role']) =>
  recent.filter((message) => message.role === role).at(-EXCHANGES_KEPT)?.seq ?? 0

/** The messages before `start`; none if the only one is the newest message of a person, which stays in the context. */
function messagesBefore(recent: readonly MessageRow[], start: number): MessageRow[] {
  const lastOfPeople = recent.findLast(({ role }) => role === 'user')
  const older = recent.filter(({ seq }) => seq < start && seq > 1)
  return older.some((message) => message !== lastOfPeople) ? older : []
}
