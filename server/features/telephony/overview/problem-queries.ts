import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { isProjectVisible, memberProjectAccess } from '../../project-access/project-access.ts'
import { type CallRow, callColumns } from '../calls/call-queries.ts'

/** A number or a voice agent in use, with what its owner and its connection can do now. */
export interface Source {
  id: string
  isNumber: boolean
  name: string
  /** Null: the account of this server. */
  connectionStatus: string | null
  ownerProblem: 'left' | 'project' | 'access' | null
  isArchived: boolean
}

const ownerProblem = (sql: Sql): Fragment => sql`
  case when m.user_id is null then 'left' when p.deleted_at is not null then 'project'
    when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit' then 'access' end`

const state = (sql: Sql): Fragment => sql`
  case when s.connection_id is null then null when c.deleted_at is not null then 'revoked' else c.status end`

const joined = (sql: Sql): Fragment => sql`
  join projects p on p.org_id = s.org_id and p.id = s.project_id
  left join connections c on c.org_id = s.org_id and c.id = s.connection_id
  left join memberships m on m.org_id = s.org_id and m.user_id = s.owner_id`

export const listSources = (sql: Sql, orgId: string) => sql<Source[]>`
  select s.id, true as "isNumber", s.e164 as name, ${state(sql)} as "connectionStatus",
    ${ownerProblem(sql)} as "ownerProblem", false as "isArchived"
  from phone_numbers s ${joined(sql)} where s.org_id = ${orgId} and s.released_at is null
  union all
  select s.id, false, a.name, ${state(sql)}, ${ownerProblem(sql)}, a.archived_at is not null
  from voice_agents s join agents a on a.org_id = s.org_id and a.id = s.agent_id ${joined(sql)}
  where s.org_id = ${orgId} and s.deleted_at is null
  order by name, id`

export type OpenCall = CallRow & { agentName: string | null }

/** The newest calls that have not ended, of the projects that the caller sees. */
export const listOpenCalls = (sql: Sql, caller: Caller, limit: number) => sql<OpenCall[]>`
  with open as materialized (
    select id from calls where org_id = ${caller.orgId} and ended_at is null order by id desc limit 1000
  )
  select ${callColumns(sql)}, (
    select a.name from agents a where a.org_id = c.org_id and a.id = c.agent_id) as "agentName"
  from open join calls c on c.org_id = ${caller.orgId} and c.id = open.id
  where ${isProjectVisible(sql, caller, sql`c.project_id`)}
  order by c.started_at desc, c.id desc limit ${limit}`
