import type { Sql } from '../../../database/database.ts'

interface SummaryRow {
  id: string
  uptoSeq: number
  content: string
}

export async function latestSummary(sql: Sql, orgId: string, sessionId: string) {
  const [row] = await sql<SummaryRow[]>`
    select id, upto_seq::int as "uptoSeq", content from summaries
    where org_id = ${orgId} and session_id = ${sessionId} order by upto_seq desc limit 1`
  return row
}

export async function findSummary(sql: Sql, orgId: string, sessionId: string, id: string) {
  const [row] = await sql<SummaryRow[]>`
    select id, upto_seq::int as "uptoSeq", content from summaries
    where org_id = ${orgId} and session_id = ${sessionId} and id = ${id}`
  return row
}
