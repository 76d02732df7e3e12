import type { z } from 'zod'
import type { Citation as CitationFields } from '../../../../contract/agents/citations.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { announceSession } from './announce.ts'

export type MessageRole = 'user' | 'assistant' | 'tool' | 'note'

export type MessagePart = { type: string } & Record<string, unknown>

export type Citation = z.output<typeof CitationFields>

export interface NewMessage {
  id: string
  role: MessageRole
  runId: string | null
  step: number | null
  authorId: string | null
  content: MessagePart[]
  /** Attached. Default: none. */
  fileIds?: readonly string[]
  body: string
  /** What an answer cites. */
  citations?: Citation[] | null
  trust: 'trusted' | 'verified' | 'untrusted'
  state: 'sent' | 'queued'
  /** More messages follow soon. */
  isContinued?: boolean
}

export interface MessageRow extends NewMessage {
  seq: number
  /** In lists, replaces this message and all earlier ones. */
  summary?: { id: string; text: string; model: string; createdAt: string } | null
  /** In lists, the reader's. */
  rating?: { rating: 'up' | 'down'; comment: string | null; ratedAt: string } | null
  createdAt: string
}

export const messageColumns = (sql: Sql): Fragment => sql`
  seq, id, role, run_id as "runId", step, author_id as "authorId", content, file_ids as "fileIds", body,
  citations, trust, state, created_at as "createdAt"`

/**
 * Locks the session, so that numbers become visible in order. Returns null if the session was deleted and its run is
 * about to end.
 */
export async function insertMessage(
  sql: Sql,
  orgId: string,
  sessionId: string,
  message: NewMessage,
  now: Date,
  /** What a tool's message gave the model to cite, as JSON. */
  passages: Fragment = sql`null`,
): Promise<MessageRow | null> {
  const citations = message.citations?.length ? sql.json(message.citations as never) : null
  const [row] = await sql<{ seq: number }[]>`
    with session as (
      update agent_sessions set message_seq = message_seq + 1 ${messageTime(sql, message, now)}
      where org_id = ${orgId} and id = ${sessionId} and deleted_at is null returning message_seq
    )
    insert into messages (org_id, session_id, seq, id, role, run_id, step, author_id, content, file_ids, body,
      citations, passages, trust, state, created_at)
    select ${orgId}, ${sessionId}, message_seq, ${message.id}, ${message.role}, ${message.runId}, ${message.step},
      ${message.authorId}, ${sql.json(message.content as never)}, ${[...(message.fileIds ?? [])]}::uuid[], ${message.body},
      ${citations}::jsonb, ${passages}::jsonb, ${message.trust}, ${message.state}, ${now}
    from session returning seq`
  if (!row) return null
  announceSession(sql, orgId, sessionId)
  return { ...message, seq: row.seq, createdAt: now.toISOString() }
}

/** How far `last_message_at` may lag during a run, because each update touches five indexes. */
const BEHIND_MS = 10_000

/** Tool results don't count: members don't read them. */
function messageTime(sql: Sql, { role, isContinued = false }: NewMessage, now: Date): Fragment {
  if (role === 'tool') return sql``
  if (!isContinued) return sql`, last_message_at = ${now}`
  const since = new Date(now.getTime() - BEHIND_MS)
  return sql`, last_message_at = case when last_message_at > ${since} then last_message_at else ${now} end`
}

/**
 * Renumbers queued messages after the run's messages and assigns them to the run. Sends its statement immediately, so
 * that later statements see the result.
 */
export async function joinQueued(
  sql: Sql,
  orgId: string,
  sessionId: string,
  runId: string,
): Promise<readonly MessageRow[]> {
  return await sql<MessageRow[]>`
    with queued as (
      select id, row_number() over (order by seq) as n from messages
      where org_id = ${orgId} and session_id = ${sessionId} and state = 'queued'
    ), session as (
      update agent_sessions set message_seq = message_seq + (select count(*) from queued)
      where org_id = ${orgId} and id = ${sessionId} and exists (select from queued)
      returning message_seq - (select count(*) from queued) as base
    )
    update messages m set seq = session.base + queued.n, state = 'sent', run_id = ${runId} from queued, session
    where m.org_id = ${orgId} and m.id = queued.id
    returning m.seq, m.id, m.role, m.run_id as "runId", m.step, m.author_id as "authorId", m.content, m.file_ids as "fileIds",
      m.body, m.citations, m.trust, m.state, m.created_at as "createdAt"`
}

/** Attached files with a text, in order. */
export const listFileParts = (
  sql: Sql,
  orgId: string,
  sessionId: string,
  type: 'file' | 'image' = 'file',
) => sql<{ fileId: string; version: number }[]>`
  select part ->> 'fileId' as "fileId", (part ->> 'version')::int as version
  from messages m cross join lateral jsonb_array_elements(m.content) with ordinality as p (part, at)
  where m.org_id = ${orgId} and m.session_id = ${sessionId} and m.role = 'user'
    and (m.file_ids <> '{}' or ${type} = 'image') and part ->> 'type' = ${type} and part ? 'version'
  order by m.seq, p.at`

export async function hasQueued(sql: Sql, orgId: string, sessionId: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`select ${queuedExists(sql, orgId, sessionId)} as found`
  return row!.found
}

/** `hasQueued` as an SQL fragment. */
export const queuedExists = (sql: Sql, orgId: string, sessionId: string): Fragment => sql`exists (
  select from messages where org_id = ${orgId} and session_id = ${sessionId} and state = 'queued')`

export const listMessages = (
  sql: Sql,
  orgId: string,
  sessionId: string,
  page: { order: 'newest' | 'oldest'; from: number | null; limit: number; readerId?: string },
) => sql<MessageRow[]>`
  select ${messageColumns(sql)}, (
    select jsonb_build_object('id', s.id, 'text', s.content, 'model', s.model,
      'createdAt', ${isoTime(sql, sql`s.created_at`)})
    from summaries s
    where s.org_id = messages.org_id and s.session_id = messages.session_id and s.upto_seq = messages.seq) as summary
    ${page.readerId === undefined ? sql`` : sql`, ${ratingBy(sql, page.readerId)} as rating`}
  from messages
  where org_id = ${orgId} and session_id = ${sessionId}
    ${page.from === null ? sql`` : page.order === 'newest' ? sql`and seq < ${page.from}` : sql`and seq > ${page.from}`}
  order by seq ${page.order === 'newest' ? sql`desc` : sql``} limit ${page.limit}`

const isoTime = (sql: Sql, time: Fragment): Fragment =>
  sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const ratingBy = (sql: Sql, userId: string): Fragment => sql`(
  select jsonb_build_object('rating', mr.rating, 'comment', mr.comment, 'ratedAt', ${isoTime(sql, sql`mr.rated_at`)})
  from message_ratings mr
  where mr.org_id = messages.org_id and mr.message_id = messages.id and mr.user_id = ${userId})`

/** With this reader's rating. */
export async function findMessage(
  sql: Sql,
  orgId: string,
  { sessionId, id, readerId }: { sessionId: string; id: string; readerId: string },
): Promise<MessageRow | null> {
  const [row] = await sql<MessageRow[]>`
    select ${messageColumns(sql)}, ${ratingBy(sql, readerId)} as rating from messages
    where org_id = ${orgId} and session_id = ${sessionId} and id = ${id}`
  return row ?? null
}

interface NewRating {
  messageId: string
  userId: string
  rating: 'up' | 'down'
  comment: string | null
  now: Date
}

/** Without effect if the message has been deleted meanwhile. */
export const upsertRating = (sql: Sql, orgId: string, { messageId, userId, ...rating }: NewRating) => sql`
  insert into message_ratings (org_id, message_id, user_id, rating, comment, rated_at)
  select org_id, id, ${userId}, ${rating.rating}, ${rating.comment}, ${rating.now}
  from messages where org_id = ${orgId} and id = ${messageId} for key share
  on conflict (org_id, message_id, user_id) do update
    set rating = excluded.rating, comment = excluded.comment, rated_at = excluded.rated_at`

export const deleteRating = (
  sql: Sql,
  orgId: string,
  { messageId, userId }: Pick<NewRating, 'messageId' | 'userId'>,
) => sql`
  delete from message_ratings
  where org_id = ${orgId} and message_id = ${messageId} and user_id = ${userId}`

/** After the last summary and `afterSeq`, in order. */
export const listRecent = (sql: Sql, orgId: string, sessionId: string, afterSeq: number) => sql<MessageRow[]>`
  select ${messageColumns(sql)} from messages
  where org_id = ${orgId} and session_id = ${sessionId} and state = 'sent' and role <> 'note' and seq > (
    select coalesce(max(s.upto_seq), 0) from summaries s where s.org_id = ${orgId} and s.session_id = ${sessionId})
    and seq > ${afterSeq}
  order by seq`

/** In order. */
export const listForContext = (
  sql: Sql,
  orgId: string,
  sessionId: string,
  afterSeq: number,
  limit: number | null = null,
) => sql<MessageRow[]>`
  select ${messageColumns(sql)} from messages
  where org_id = ${orgId} and session_id = ${sessionId} and seq > ${afterSeq} and state = 'sent' and role <> 'note'
  order by seq limit ${limit}::int`

export const listRange = (
  sql: Sql,
  orgId: string,
  sessionId: string,
  { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
) => sql<MessageRow[]>`
  select ${messageColumns(sql)} from messages
  where org_id = ${orgId} and session_id = ${sessionId} and seq between ${fromSeq} and ${toSeq}
    and state = 'sent' and role <> 'note'
  order by seq`

/** A summary inherits the trust of the messages it replaces. */
export async function findLowestTrust(
  sql: Sql,
  orgId: string,
  sessionId: string,
): Promise<NewMessage['trust']> {
  const [row] = await sql<Pick<NewMessage, 'trust'>[]>`
    select trust from messages
    where org_id = ${orgId} and session_id = ${sessionId} and trust <> 'trusted' order by trust limit 1`
  return row?.trust ?? 'trusted'
}

export async function hasToolMessage(sql: Sql, orgId: string, runId: string, step: number): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select from messages
      where org_id = ${orgId} and run_id = ${runId} and step = ${step} and role = 'tool') as found`
  return row!.found
}

export async function findLastAnswer(sql: Sql, orgId: string, runId: string): Promise<string | null> {
  const [row] = await sql<{ body: string }[]>`
    select body from messages
    where org_id = ${orgId} and run_id = ${runId} and role = 'assistant' and body <> '' order by seq desc limit 1`
  return row?.body ?? null
}

/** Empty strings if there are none. */
export async function listFirstTexts(sql: Sql, orgId: string, sessionId: string) {
  const [row] = await sql<{ message: string | null; answer: string | null }[]>`
    select ${firstText(sql, orgId, sessionId, 'user')} as message,
      ${firstText(sql, orgId, sessionId, 'assistant')} as answer`
  return { message: row?.message ?? '', answer: row?.answer ?? '' }
}

const firstText = (sql: Sql, orgId: string, sessionId: string, role: MessageRole): Fragment => sql`(
  select body from messages
  where org_id = ${orgId} and session_id = ${sessionId} and role = ${role} and state = 'sent' and body <> ''
  order by seq limit 1)`

export const listNewestUserMessage = (
  sql: Sql,
  orgId: string,
  sessionId: string,
  uptoSeq: number | null = null,
) => sql<MessageRow[]>`
  select ${messageColumns(sql)} from messages
  where org_id = ${orgId} and session_id = ${sessionId} and role = 'user' and state = 'sent'
    ${uptoSeq === null ? sql`` : sql`and seq <= ${uptoSeq}`}
  order by seq desc limit 1`

/** No model has read it: it is queued, or its run has made no step. */
export async function updateUnread(
  sql: Sql,
  orgId: string,
  sessionId: string,
  messageId: string,
  { content, body }: Pick<NewMessage, 'content' | 'body'>,
): Promise<boolean> {
  const { count } = await sql`
    update messages m set content = ${sql.json(content as never)}, body = ${body}
    where m.org_id = ${orgId} and m.session_id = ${sessionId} and m.id = ${messageId} and (m.state = 'queued' or not exists (
      select from run_steps s where s.org_id = m.org_id and s.run_id = m.run_id))`
  if (count > 0) announceSession(sql, orgId, sessionId)
  return count > 0
}

interface SummaryRow {
  id: string
  uptoSeq: number
  content: string
  /** Includes the earlier summaries. */
  includesEarlier: boolean
}

/** Oldest first. Each continues the previous summary or includes all earlier ones. */
export const listSummaries = (sql: Sql, orgId: string, sessionId: string) => sql<SummaryRow[]>`
  select id, upto_seq::int as "uptoSeq", content, includes_earlier as "includesEarlier" from summaries
  where org_id = ${orgId} and session_id = ${sessionId} order by upto_seq`

export const summariesExist = (sql: Sql, orgId: string, sessionId: string): Fragment => sql`exists (
  select from summaries where org_id = ${orgId} and session_id = ${sessionId})`

export const currentSummaries = <S extends Pick<SummaryRow, 'includesEarlier'>>(
  summaries: readonly S[],
): S[] =>
  summaries.slice(
    Math.max(
      0,
      summaries.findLastIndex(({ includesEarlier }) => includesEarlier),
    ),
  )

interface NewSummary extends SummaryRow {
  model: string
  tokensBefore: number
  tokensAfter: number
  now: Date
}

/** Unless the session was deleted. */
export const insertSummary = (sql: Sql, orgId: string, sessionId: string, summary: NewSummary) => sql`
  insert into summaries (org_id, session_id, id, upto_seq, content, includes_earlier, model, tokens_before, tokens_after,
    created_at)
  select ${orgId}, ${sessionId}, ${summary.id}, ${summary.uptoSeq}, ${summary.content}, ${summary.includesEarlier},
    ${summary.model}, ${summary.tokensBefore}, ${summary.tokensAfter}, ${summary.now}
  from agent_sessions where org_id = ${orgId} and id = ${sessionId} and deleted_at is null
  on conflict do nothing`
