import type { MessageRow } from '../../sessions/sessions.ts'

/** Exchanges at the end of a conversation that stay as they are. */
const EXCHANGES_KEPT = 3

/**
 * The messages that the next summary replaces: those after the last summary, without the first message and the newest
 * exchanges. An exchange is a message of a person with the messages up to the next one. Where the newest exchanges alone are too long, it
 * is an answer of the model with its calls, and the newest message of a person stays in the context beside the summary.
 */
export function messagesToFold(recent: readonly MessageRow[]): MessageRow[] {
  const byPeople = before(recent, startOf(recent, 'user'))
  return byPeople.length > 0 ? byPeople : before(recent, startOf(recent, 'assistant'))
}

const startOf = (recent: readonly MessageRow[], role: MessageRow['role']) =>
  recent.filter((message) => message.role === role).at(-EXCHANGES_KEPT)?.seq ?? 0

/** Up to the start, if that leaves out more than messages that stay anyway. */
function before(recent: readonly MessageRow[], start: number): MessageRow[] {
  const lastOfPeople = recent.findLast(({ role }) => role === 'user')
  const folded = recent.filter(({ seq }) => seq < start && seq > 1)
  return folded.some((message) => message !== lastOfPeople) ? folded : []
}
