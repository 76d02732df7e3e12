import type { Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../projects/access/access.ts'

/** A number or a voice agent in use, with the current rights of its owner and the state of its connection. */
export interface Source {
  id: string
  isNumber: boolean
  name: string
  /** Null: the account of this server. */
  connectionStatus: string | null
  ownerProblem: 'left' | 'project' | 'access' | null
  isArchived: boolean
}

/**
 * Reads every row by its primary key, regardless of the statistics of the tables. The access of an owner to a project is read once:
 * two hundred numbers may have the same.
 */
export const listSources = (sql: Sql, orgId: string) => sql<Source[]>`
  with s as materialized (
    select id, true as is_number, e164 as name, connection_id, project_id, owner_id, false as is_archived
    from phone_numbers where org_id = ${orgId} and released_at is null
    union all
    select v.id, false, a.name, v.connection_id, v.project_id, v.owner_id, a.archived_at is not null
    from voice_agents v cross join lateral (
      select a.name, a.archived_at from agents a
      where a.org_id = ${orgId} and a.id = any(array[v.agent_id]) order by a.id limit 1) a
    where v.org_id = ${orgId} and v.deleted_at is null
  ), owners as materialized (
    select o.owner_id, o.project_id, case when m.user_id is null then 'left' else (
      select case when p.deleted_at is not null then 'project'
        when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit' then 'access' end
      from projects p where p.org_id = ${orgId} and p.id = any(array[o.project_id]) order by p.id limit 1) end as problem
    from (select distinct owner_id, project_id from s) o
    left join lateral (
      select m.user_id, m.role from memberships m
      where m.org_id = ${orgId} and m.user_id = any(array[o.owner_id]) order by m.user_id limit 1) m on true
  )
  select s.id, s.is_number as "isNumber", s.name, (
      select case when c.deleted_at is not null then 'revoked' else c.status end from connections c
      where c.org_id = ${orgId} and c.id = any(array[s.connection_id]) order by c.id limit 1) as "connectionStatus",
    owners.problem as "ownerProblem", s.is_archived as "isArchived"
  from s join owners using (owner_id, project_id) order by s.name, s.id`
