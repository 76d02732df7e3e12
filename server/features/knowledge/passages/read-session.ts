import { PASSAGE_LIMITS, SPEAKERS } from '../../../../contract/knowledge/passage-options.ts'
import { type ExtractedText, markdownBlocks, type TextBlock } from '../../../../markdown/text-blocks.ts'
import type { Sql } from '../../../database/database.ts'

interface SpokenMessage {
  seq: number
  role: 'user' | 'assistant'
  body: string
}

const READ_BATCH = 100
const MESSAGES_MAX = 2000
/** A long conversation's beginning moves once in so many messages. Passages after it would be cut anew each time. */
const START_STEP = 20

/** A pinned conversation's newest messages, without tool results. Null if there are none. */
export async function readSession(
  sql: Sql,
  orgId: string,
  sessionId: string,
): Promise<{ lastSeq: number; text: ExtractedText } | null> {
  const { messages, hasMore } = await listNewest(sql, orgId, sessionId)
  const kept = keepNewest(messages, hasMore)
  const last = kept.at(-1)
  if (!last) return null
  return { lastSeq: last.seq, text: toText(kept, hasMore || kept.length < messages.length) }
}

async function listNewest(sql: Sql, orgId: string, sessionId: string) {
  const messages: SpokenMessage[] = []
  let characters = 0
  let hasMore = true
  while (hasMore && characters <= PASSAGE_LIMITS.conversation && messages.length < MESSAGES_MAX) {
    const before = messages.at(-1)?.seq ?? null
    const batch = await sql<SpokenMessage[]>`
      select m.seq::int as seq, m.role, left(m.body, ${PASSAGE_LIMITS.conversation}) as body from messages m
      where m.org_id = ${orgId} and m.session_id = ${sessionId} ${before === null ? sql`` : sql`and m.seq < ${before}`}
        and m.role in ('user', 'assistant') and m.state = 'sent' and m.body <> ''
      order by m.seq desc limit ${READ_BATCH}`
    messages.push(...batch)
    characters += batch.reduce((sum, { body }) => sum + body.length, 0)
    hasMore = batch.length === READ_BATCH
  }
  return { messages: messages.reverse(), hasMore }
}

/** Always the newest: the query has cut it. */
function keepNewest(messages: SpokenMessage[], hasMore: boolean): SpokenMessage[] {
  let characters = 0
  let first = messages.length
  while (first > 0) {
    characters += messages[first - 1]!.body.length
    if (characters > PASSAGE_LIMITS.conversation && first < messages.length) break
    first--
  }
  if (first === 0 && !hasMore) return messages
  const step = messages.findIndex(
    ({ seq }, index) =>
      index > first && Math.floor(seq / START_STEP) > Math.floor(messages[index - 1]!.seq / START_STEP),
  )
  return messages.slice(step === -1 ? first : step)
}

/**
 * A question is the heading of its answers, so that it finds each of their passages, and begins a page, so that no
 * passage mixes exchanges. Without names: a member may be erased.
 */
function toText(messages: readonly SpokenMessage[], truncated: boolean): ExtractedText {
  const blocks: TextBlock[] = []
  let text = ''
  let page = messages[0]!.seq
  let wasAnswered = true
  for (const { seq, role, body } of messages) {
    const isQuestion = role === 'user' && wasAnswered
    wasAnswered = role === 'assistant'
    if (isQuestion) page = seq
    else {
      const from = text.length
      text += SPEAKERS[role]
      blocks.push({ from, to: text.length, page })
    }
    const start = text.length
    for (const { from, to, level } of isQuestion ? questionBlocks(body) : markdownBlocks(body).blocks)
      blocks.push({
        from: start + from,
        to: start + to,
        page,
        ...(level !== undefined && { level: level + 1 }),
      })
    text += `${body}\n\n`
  }
  return { text, blocks, pages: null, truncated }
}

/** Its first line is the outermost heading. */
function questionBlocks(body: string): TextBlock[] {
  const from = body.search(/\S/)
  if (from === -1) return []
  const end = body.indexOf('\n', from)
  const to = end === -1 ? body.length : end
  const rest = markdownBlocks(body.slice(to)).blocks
  return [
    { from, to, level: 0 },
    ...rest.map((block) => ({ ...block, from: to + block.from, to: to + block.to })),
  ]
}
