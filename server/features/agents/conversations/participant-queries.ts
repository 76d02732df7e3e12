import type { Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../projects/access/access.ts'
import { announceSession } from './announce.ts'

export interface Viewer {
  name: string
  email: string
  isVerified: boolean
}

export async function findViewer(sql: Sql, orgId: string, projectId: string, userId: string) {
  const [row] = await sql<Viewer[]>`
    select u.name, u.email, u.email_verified_at is not null as "isVerified"
    from memberships m
    join users u on u.id = m.user_id
    join projects p on p.org_id = m.org_id and p.id = ${projectId} and p.deleted_at is null
    where m.org_id = ${orgId} and m.user_id = ${userId}
      and ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is not null`
  return row ?? null
}

export async function countParticipants(sql: Sql, orgId: string, sessionId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from session_participants sp
    join memberships m on m.org_id = sp.org_id and m.user_id = sp.user_id
    where sp.org_id = ${orgId} and sp.session_id = ${sessionId}`
  return row!.count
}

/** Returns false if already a participant. */
export async function insertParticipant(
  sql: Sql,
  orgId: string,
  sessionId: string,
  { userId, by, now }: { userId: string; by: string; now: Date },
): Promise<boolean> {
  const added = await sql`
    insert into session_participants (org_id, session_id, user_id, added_by, added_at)
    values (${orgId}, ${sessionId}, ${userId}, ${by}, ${now}) on conflict do nothing returning user_id`
  if (added.length > 0) await touch(sql, orgId, sessionId, now)
  return added.length > 0
}

/** Returns the removed participant, or null. */
export async function deleteParticipant(
  sql: Sql,
  orgId: string,
  sessionId: string,
  { userId, now }: { userId: string; now: Date },
) {
  const [removed] = await sql<{ name: string; email: string }[]>`
    delete from session_participants sp using users u
    where sp.org_id = ${orgId} and sp.session_id = ${sessionId} and sp.user_id = ${userId} and u.id = sp.user_id
    returning u.name, u.email`
  if (removed) await touch(sql, orgId, sessionId, now)
  return removed ?? null
}

async function touch(sql: Sql, orgId: string, sessionId: string, now: Date): Promise<void> {
  await sql`
    update agent_sessions set version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${sessionId}`
  announceSession(sql, orgId, sessionId)
}

export interface Recipient {
  userId: string
  email: string
  isVerified: boolean
  access: 'view' | 'edit'
}

/** Includes the creator, excludes users who lost access. */
export const listRecipients = (sql: Sql, orgId: string, sessionId: string, audienceId = sessionId) => sql<
  Recipient[]
>`
  select u.id as "userId", u.email, u.email_verified_at is not null as "isVerified", a.access
  from agent_sessions s
  join projects p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null
  join agent_sessions t on t.org_id = s.org_id and t.id = ${audienceId}
  join memberships m on m.org_id = s.org_id and (m.user_id = t.created_by or exists (
    select from session_participants sp
    where sp.org_id = s.org_id and sp.session_id = t.id and sp.user_id = m.user_id))
  join users u on u.id = m.user_id,
    lateral (select ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} as access) a
  where s.org_id = ${orgId} and s.id = ${sessionId} and s.deleted_at is null and a.access is not null
  order by u.id`
