import type { Sql } from '../../../database/database.ts'

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

/** Held until the switch is made, so that nobody switches to where they are just being removed. */
export async function lockMembership(sql: Sql, orgId: string, userId: string): Promise<boolean> {
  const rows = await sql`
    select from memberships where org_id = ${orgId} and user_id = ${userId} for key share`
  return rows.length > 0
}

/** This workspace if they see it; without one named, the default or else the oldest that they see. */
export async function findVisibleWorkspace(
  sql: Sql,
  orgId: string,
  userId: string,
  workspaceId: string | null,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select w.id from memberships m join workspaces w on w.org_id = m.org_id and w.deleted_at is null
    where m.org_id = ${orgId} and m.user_id = ${userId}
      and (${workspaceId}::uuid is null or w.id = ${workspaceId})
      and (m.role in ('owner', 'admin') or exists (
        select from workspace_members wm
        where wm.org_id = ${orgId} and wm.workspace_id = w.id and wm.user_id = ${userId}))
    order by w.id is not distinct from m.default_workspace_id desc, w.created_at, w.id limit 1`
  return row?.id ?? null
}

export const updateSessionPlace = (sql: Sql, orgId: string, sessionId: string, workspaceId: string | null) =>
  sql`update sessions set org_id = ${orgId}, workspace_id = ${workspaceId} where id = ${sessionId}`
