import type { Caller } from '../../context.ts'
import type { Fragment, Sql } from '../../database/database.ts'
import { isProjectVisible } from '../project-access/project-access.ts'
import { type SessionRow, sessionColumns } from './session-queries.ts'

export interface SessionFilter {
  projectId?: string
  agentId?: string
  status?: 'open' | 'ended'
  search?: string
  branchedFrom?: string
}

export interface SessionPosition {
  lastMessageAt: string
  id: string
}

export interface ListedSession extends SessionRow {
  /** The words around the match of a search. */
  match: string | null
}

/** A page, newest message first. A search reads the matching messages from their index, newest first. */
export const listSessions = (
  sql: Sql,
  caller: Caller,
  filter: SessionFilter,
  { before, limit }: { before: SessionPosition | null; limit: number },
) => sql<ListedSession[]>`
  select ${sessionColumns(sql)}, 'view' as access, ${matchOf(sql, filter)} as match from agent_sessions s
  where s.org_id = ${caller.orgId} and s.deleted_at is null and ${isProjectVisible(sql, caller, sql`s.project_id`)} ${conditions(sql, caller, filter)}
    ${before ? sql`and (s.last_message_at, s.id) < (${before.lastMessageAt}, ${before.id})` : sql``}
  order by s.last_message_at desc, s.id desc limit ${limit}`

const conditions = (
  sql: Sql,
  caller: Caller,
  { projectId, agentId, status, search, branchedFrom }: SessionFilter,
): Fragment => sql`
  ${projectId ? sql`and s.project_id = ${projectId}` : sql``}
  ${agentId ? sql`and s.agent_id = ${agentId}` : sql``}
  ${status ? sql`and s.status = ${status}` : sql``}
  ${branchedFrom ? sql`and s.branched_from = ${branchedFrom}` : sql``}
  ${search ? sql`and s.id in (select m.session_id ${matching(sql, caller.orgId, search)})` : sql``}`

const matching = (sql: Sql, orgId: string, search: string): Fragment => sql`
  from messages m
  where m.org_id = ${orgId} and m.body <> ''
    and to_tsvector('simple', m.body) @@ websearch_to_tsquery('simple', ${search})`

function matchOf(sql: Sql, { search }: SessionFilter): Fragment {
  if (!search) return sql`null`
  return sql`(
    select ts_headline('simple', left(m.body, 5000), websearch_to_tsquery('simple', ${search}),
      'StartSel="", StopSel="", MaxWords=20, MinWords=8')
    from messages m
    where m.org_id = s.org_id and m.session_id = s.id
      and to_tsvector('simple', m.body) @@ websearch_to_tsquery('simple', ${search})
    order by m.seq desc limit 1)`
}
