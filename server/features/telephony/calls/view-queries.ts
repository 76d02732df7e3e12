import type { CallStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible } from '../../project-access/project-access.ts'
import { type CallRow, callColumns } from './call-queries.ts'

export interface CallView extends CallRow {
  agentName: string | null
}

const viewColumns = (sql: Sql): Fragment => sql`
  ${callColumns(sql)}, (
    select a.name from agents a where a.org_id = c.org_id and a.id = c.agent_id) as "agentName"`

export interface CallFilter {
  direction?: 'inbound' | 'outbound' | undefined
  status?: CallStatus | undefined
  isOpen?: boolean | undefined
  numberId?: string | undefined
  agentId?: string | undefined
  projectId?: string | undefined
  peer?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** Of the projects that the caller sees, newest first. */
export const listCalls = (
  sql: Sql,
  caller: Caller,
  filter: CallFilter,
  { before, limit }: { before: string | null; limit: number },
) => sql<CallView[]>`
  select ${viewColumns(sql)} from calls c
  where c.org_id = ${caller.orgId} and ${isProjectVisible(sql, caller, sql`c.project_id`)} ${matches(sql, filter)}
    ${
      before
        ? sql`and (c.started_at, c.id) < (
      select b.started_at, b.id from calls b where b.org_id = ${caller.orgId} and b.id = ${before})`
        : sql``
    }
  order by c.started_at desc, c.id desc limit ${limit}`

const matches = (sql: Sql, filter: CallFilter): Fragment => {
  const { direction, status, isOpen, numberId, agentId, projectId, peer, since, until } = filter
  return sql`
    ${direction ? sql`and c.direction = ${direction}` : sql``}
    ${status ? sql`and c.status = ${status}` : sql``}
    ${isOpen === undefined ? sql`` : isOpen ? sql`and c.ended_at is null` : sql`and c.ended_at is not null`}
    ${numberId ? sql`and c.number_id = ${numberId}` : sql``}
    ${agentId ? sql`and c.agent_id = ${agentId}` : sql``}
    ${projectId ? sql`and c.project_id = ${projectId}` : sql``}
    ${peer ? sql`and case c.direction when 'inbound' then c.from_number else c.to_number end = ${peer}` : sql``}
    ${since ? sql`and c.started_at >= ${since}` : sql``}
    ${until ? sql`and c.started_at < ${until}` : sql``}`
}

/** Null if the caller does not see the project of the call. */
export async function findVisible(sql: Sql, caller: Caller, id: string): Promise<CallView | null> {
  const [row] = await sql<CallView[]>`
    select ${viewColumns(sql)} from calls c
    where c.org_id = ${caller.orgId} and c.id = ${id} and ${isProjectVisible(sql, caller, sql`c.project_id`)}`
  return row ?? null
}

export const listEntries = (sql: Sql, orgId: string, callId: string) => sql<
  { at: string; type: string; detail: string | null }[]
>`
  select at, type, detail from call_entries where org_id = ${orgId} and call_id = ${callId} order by seq`
