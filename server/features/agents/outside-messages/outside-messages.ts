/** Passes messages from callers and providers to conversations, with a member's current permissions. */

import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../../projects/access/access.ts'
import { findLastAnswer } from '../conversations/conversations.ts'

export { type DeliveredMessage, deliverMessage } from './deliver-message.ts'

export type ActingMember =
  | { caller: Caller; obstacle: null }
  | { caller: null; obstacle: 'owner_left' | 'access_lost' | 'project_deleted' }

interface MemberRef {
  userId: string
  projectId: string
  /** A number, a rule or a call. */
  credentialId: string
}

interface Row {
  obstacle: Exclude<ActingMember['obstacle'], null> | null
  role: Caller['role'] | null
  workspaceId: string | null
}

/** For work others trigger in the member's name. */
export async function resolveActingMember(
  sql: Sql,
  orgId: string,
  { userId, projectId, credentialId }: MemberRef,
): Promise<ActingMember> {
  const [row] = await sql<Row[]>`
    select m.role, m.default_workspace_id as "workspaceId",
      case
        when m.user_id is null then 'owner_left'
        when p.deleted_at is not null then 'project_deleted'
        when ${memberProjectAccess(sql, sql`m.user_id`, sql`m.role`)} is distinct from 'edit' then 'access_lost'
      end as obstacle
    from projects p left join memberships m on m.org_id = p.org_id and m.user_id = ${userId}
    where p.org_id = ${orgId} and p.id = ${projectId}`
  if (!row || row.obstacle !== null) return { caller: null, obstacle: row?.obstacle ?? 'project_deleted' }
  return { caller: memberCaller(orgId, { userId, credentialId }, row), obstacle: null }
}

export const memberCaller = (
  orgId: string,
  { userId, credentialId }: Pick<MemberRef, 'userId' | 'credentialId'>,
  { role, workspaceId }: Pick<Row, 'role' | 'workspaceId'>,
): Caller => ({
  via: 'session',
  credentialId,
  userId,
  orgId,
  workspaceId,
  role: role!,
  operator: false,
  scopes: 'all',
  stepUpUntil: null,
  stepUpMethods: [],
})

export interface EndedRun {
  status: 'succeeded' | 'failed' | 'canceled'
  /** Null if the run succeeded. */
  error: string | null
  answer: string | null
  /** If a member wrote a message, the answer isn't for outsiders. */
  isForOutside: boolean
}

/** Returns null while the run continues. */
export async function findEndedRun(sql: Sql, orgId: string, runId: string): Promise<EndedRun | null> {
  const [row] = await sql<Omit<EndedRun, 'answer'>[]>`
    select r.status, case when r.status <> 'succeeded' then coalesce(r.error, 'The run was ' || r.status) end as error,
      r.trigger = 'provider_event' and not exists (
        select from messages m
        where m.org_id = r.org_id and m.run_id = r.id and m.role = 'user' and m.author_id is not null) as "isForOutside"
    from runs r where r.org_id = ${orgId} and r.id = ${runId} and r.status in ('succeeded', 'failed', 'canceled')`
  if (!row) return null
  const answer = row.status === 'succeeded' ? (await findLastAnswer(sql, orgId, runId))?.trim() : undefined
  return { ...row, answer: answer || null }
}
