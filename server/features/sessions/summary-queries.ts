import type { Sql } from '../../database/database.ts'

export interface SummaryRow {
  id: string
  uptoSeq: number
  content: string
}

/** The summaries of a session, oldest first: each continues the one before. */
export const listSummaries = (sql: Sql, orgId: string, sessionId: string) => sql<SummaryRow[]>`
  select id, upto_seq::int as "uptoSeq", content from summaries
  where org_id = ${orgId} and session_id = ${sessionId} order by upto_seq`

interface NewSummary extends SummaryRow {
  model: string
  tokensBefore: number
  tokensAfter: number
  now: Date
}

/** Stores a summary, unless the session was deleted. */
export const insertSummary = (sql: Sql, orgId: string, sessionId: string, summary: NewSummary) => sql`
  insert into summaries (org_id, session_id, id, upto_seq, content, model, tokens_before, tokens_after, created_at)
  select ${orgId}, ${sessionId}, ${summary.id}, ${summary.uptoSeq}, ${summary.content}, ${summary.model},
    ${summary.tokensBefore}, ${summary.tokensAfter}, ${summary.now}
  from agent_sessions where org_id = ${orgId} and id = ${sessionId} and deleted_at is null
  on conflict do nothing`
