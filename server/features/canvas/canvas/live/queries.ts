import type { LiveEvents } from '../../../../../contract/canvas/live.ts'
import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { PROJECT_CHANNEL } from '../../../../streams/notify.ts'
import { memberProjectAccess, projectAccess } from '../../../projects/access/access.ts'
import { matchesRef } from '../../../projects/projects/projects.ts'

/**
 * Finds the project, checks the caller's access and sends the notification in one statement, because pointers move many
 * times a second. A member's name comes from their account. Returns false if the caller sees no such project.
 */
export async function notifyPresence(
  sql: Sql,
  orgId: string,
  ref: string,
  caller: Caller,
  presence: LiveEvents['presence'],
): Promise<boolean> {
  const rows = await sql`
    select pg_notify(${PROJECT_CHANNEL}, jsonb_build_object(
      'orgId', p.org_id, 'projectId', p.id, 'kind', 'presence',
      'presence', ${sql.json({ ...presence })}::jsonb || jsonb_build_object('name', coalesce(u.name, ${presence.name}))
    )::text)
    from projects p left join users u on u.id = ${presence.userId}, lateral (select ${projectAccess(sql, caller)} as access) a
    where p.org_id = ${orgId} and ${matchesRef(sql, ref)} and p.deleted_at is null and a.access is not null`
  return rows.length > 0
}

/** Whether the creator of a guest's share link may still share the project. `accessOf` checks the link and its version. */
export async function isStillShared(sql: Sql, orgId: string, { userId, share }: Caller): Promise<boolean> {
  const rows = await sql`
    select from memberships m join projects p on p.org_id = m.org_id and p.id = ${share?.projectId ?? null}
    where m.org_id = ${orgId} and m.user_id = ${userId} and ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} = 'edit'`
  return rows.length > 0
}

/** When the first change from this number on was made; numbers of combined changes are missing. Null without one. */
export async function findChangeTime(sql: Sql, orgId: string, projectId: string, seq: number) {
  const [row] = await sql<{ createdAt: string }[]>`
    select created_at as "createdAt" from canvas_changes
    where org_id = ${orgId} and project_id = ${projectId} and seq >= ${seq} order by seq limit 1`
  return row?.createdAt ?? null
}
