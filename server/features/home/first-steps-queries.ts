import type { Caller } from '../../context.ts'
import type { Sql } from '../../database/database.ts'

/** How many of the newest records are read: they include the first ones of a new member. */
const READ_MAX = 200

export interface DoneSteps {
  project: boolean
  chat: boolean
  key: boolean
  call: boolean
  feedback: boolean
}

/** Which of the first steps the caller has done. */
export async function findDoneSteps(sql: Sql, { orgId, userId }: Caller): Promise<DoneSteps> {
  const [row] = await sql<[DoneSteps]>`
    select ${userId} = any(array(
        select p.user_id from projects p where p.org_id = ${orgId} and p.deleted_at is null and p.visibility = 'team'
        order by p.id desc limit ${READ_MAX}))
      or exists (
        select from projects p
        where p.org_id = ${orgId} and p.user_id = ${userId} and p.deleted_at is null and p.visibility = 'private') as project,
      ${userId} = any(array(
        select s.created_by from agent_sessions s where s.org_id = ${orgId} and s.deleted_at is null
        order by s.last_message_at desc, s.id desc limit ${READ_MAX})) as chat,
      coalesce(k.count, 0) > 0 as key, coalesce(k.used, false) as call,
      coalesce((
        select true from feedback f where f.org_id = ${orgId} and f.user_id = any(array[${userId}]::uuid[])
        order by f.user_id, f.id desc limit 1), false) as feedback
    from (
      select count(*) as count, bool_or(k.last_used_at is not null) as used from api_keys k
      where k.org_id = ${orgId} and k.user_id = ${userId} and k.revoked_at is null
    ) k`
  return row
}
