import type { Fragment, Sql } from '../../../database/database.ts'

export interface SummaryRow {
  id: string
  uptoSeq: number
  content: string
  /** Whether it combines the earlier summaries with the messages after them. */
  includesEarlier: boolean
}

/** The summaries of a session, oldest first: each continues the previous summary, or includes all earlier summaries. */
export const listSummaries = (sql: Sql, orgId: string, sessionId: string) => sql<SummaryRow[]>`
  select id, upto_seq::int as "uptoSeq", content, includes_earlier as "includesEarlier" from summaries
  where org_id = ${orgId} and session_id = ${sessionId} order by upto_seq`

/** Whether a session has summaries, as a part of another statement. */
export const summariesExist = (sql: Sql, orgId: string, sessionId: string): Fragment => sql`exists (
  select from summaries where org_id = ${orgId} and session_id = ${sessionId})`

/** The summaries that a model receives. */
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

/** Stores a summary, unless the session was deleted. */
export const insertSummary = (sql: Sql, orgId: string, sessionId: string, summary: NewSummary) => sql`
  insert into summaries (org_id, session_id, id, upto_seq, content, includes_earlier, model, tokens_before, tokens_after,
    created_at)
  select ${orgId}, ${sessionId}, ${summary.id}, ${summary.uptoSeq}, ${summary.content}, ${summary.includesEarlier},
    ${summary.model}, ${summary.tokensBefore}, ${summary.tokensAfter}, ${summary.now}
  from agent_sessions where org_id = ${orgId} and id = ${sessionId} and deleted_at is null
  on conflict do nothing`
