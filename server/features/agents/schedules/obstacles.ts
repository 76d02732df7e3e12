import type { PauseReason } from '../../../../contract/agents/schedule-options.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../projects/access/access.ts'
import type { ScheduleRow } from './records.ts'

/** For schedule `s` in project `p`, with its owner's current permissions. */
export const selectObstacle = (sql: Sql): Fragment => sql`
  case
    when not exists (select from memberships m where m.org_id = s.org_id and m.user_id = s.owner_id) then 'owner_left'
    when s.key_id is not null and not exists (
      select from api_keys k
      where k.org_id = s.org_id and k.id = s.key_id and k.user_id = s.owner_id and k.revoked_at is null) then 'key_revoked'
    when exists (
      select from api_keys k where k.org_id = s.org_id and k.id = s.key_id and k.expires_at <= now()) then 'key_expired'
    when p.deleted_at is not null then 'project_deleted'
    when (
      select ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} from memberships m
      where m.org_id = s.org_id and m.user_id = s.owner_id) is distinct from 'edit' then 'access_lost'
    when exists (
      select from agents g where g.org_id = s.org_id and g.id = s.agent_id and g.archived_at is not null)
      then 'agent_archived'
    when s.block_id is not null and not exists (
      select from blocks b
      where b.org_id = s.org_id and b.project_id = s.project_id and b.id = s.block_id and b.type = 'agent')
      then 'block_deleted'
  end`

interface Rights {
  obstacle: PauseReason | null
  role: Caller['role'] | null
  workspaceId: string | null
  scopes: string[] | null
  readOnly: boolean | null
}

export async function readRights(
  sql: Sql,
  orgId: string,
  schedule: ScheduleRow,
): Promise<{ obstacle: PauseReason } | { obstacle: null; caller: Caller }> {
  const { id, ownerId, keyId } = schedule
  const [row] = await sql<Rights[]>`
    select ${selectObstacle(sql)} as obstacle, m.role, m.default_workspace_id as "workspaceId", k.scopes,
      k.read_only as "readOnly"
    from schedules s
    join projects p on p.org_id = s.org_id and p.id = s.project_id
    left join memberships m on m.org_id = s.org_id and m.user_id = s.owner_id
    left join api_keys k on k.org_id = s.org_id and k.id = s.key_id
    where s.org_id = ${orgId} and s.id = ${id}`
  const { obstacle, role, workspaceId, scopes, readOnly } = row!
  if (obstacle !== null) return { obstacle }
  const caller: Caller = {
    via: keyId === null ? 'session' : 'key',
    credentialId: keyId ?? id,
    userId: ownerId,
    orgId,
    workspaceId,
    role: role!,
    operator: false,
    scopes: scopes ?? 'all',
    ...(readOnly && { readOnly }),
    stepUpUntil: null,
    stepUpMethods: [],
  }
  return { obstacle, caller }
}
