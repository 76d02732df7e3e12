import type { Sql } from '../../../../database/database.ts'
import { isWorkspaceVisible } from '../../../organizations/membership/membership.ts'

interface ProfileRow {
  id: string
  name: string
  email: string
  settings: { defaultProjectVisibility?: 'team' | 'private' }
}

export async function updateProfileOf(
  sql: Sql,
  userId: string,
  change: { name: string | null; settings: object; now: Date },
) {
  const [row] = await sql<ProfileRow[]>`
    update users set name = coalesce(${change.name}, name), settings = settings || ${sql.json(change.settings as never)},
      updated_at = ${change.now}
    where id = ${userId} returning id, name, email, settings`
  return row ?? null
}

/** The lock is held until the switch commits: a concurrent removal from the organization waits for it. */
export async function lockMembership(sql: Sql, orgId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select from memberships where org_id = ${orgId} and user_id = ${userId} for key share`
  return rows.length > 0
}

/** The given workspace if the user can see it; with null, the default or else the oldest visible workspace. */
export async function findVisibleWorkspace(
  sql: Sql,
  orgId: string,
  userId: string,
  workspaceId: string | null,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select w.id from memberships m join workspaces w on ${isWorkspaceVisible(sql)}
    where m.org_id = ${orgId} and m.user_id = ${userId}
      and (${workspaceId}::uuid is null or w.id = ${workspaceId})
    order by w.id is not distinct from m.default_workspace_id desc, w.created_at, w.id limit 1`
  return row?.id ?? null
}
