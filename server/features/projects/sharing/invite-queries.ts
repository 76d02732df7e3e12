import type { PROJECT_INVITE_ROLES } from '../../../../contract/projects/sharing.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

export type InviteRole = (typeof PROJECT_INVITE_ROLES)[number]

export interface InviteRow {
  orgId: string
  projectId: string
  id: string
  role: InviteRole
  email: string | null
  expiresAt: string | null
  maxUses: number | null
  uses: number
  createdBy: string
  createdAt: string
  /** The link went only to the email address, so opening it proves the address. */
  isMailed: boolean
}

export interface OpenInviteRow extends InviteRow {
  orgName: string
  workspaceId: string
  workspaceName: string
  projectName: string
  emoji: string | null
  inviterName: string
}

const columns = (sql: Sql) => sql`
  i.org_id as "orgId", i.project_id as "projectId", i.id, i.role, i.email, i.expires_at as "expiresAt",
  i.max_uses as "maxUses", i.uses, i.created_by as "createdBy", i.created_at as "createdAt",
  i.is_mailed as "isMailed"`

const isOpen = (sql: Sql, now: Date) => sql`
  (i.expires_at is null or i.expires_at > ${now}) and (i.max_uses is null or i.uses < i.max_uses)`

const mayInvite = (sql: Sql) => sql`
  (m.role <> 'member' or exists (
    select from workspace_members w
    where w.org_id = p.org_id and w.workspace_id = p.workspace_id and w.user_id = m.user_id and w.role = 'admin'))`

export const listInvites = (sql: Sql, orgId: string, projectId: string, now: Date) => sql<InviteRow[]>`
  select ${columns(sql)} from project_invites i
  where i.org_id = ${orgId} and i.project_id = ${projectId} and ${isOpen(sql, now)} order by i.id desc`

export async function canInvite(
  sql: Sql,
  orgId: string,
  projectId: string,
  userId: string,
): Promise<boolean> {
  const rows = await sql`
    select from projects p join memberships m on m.org_id = p.org_id and m.user_id = ${userId}
    where p.org_id = ${orgId} and p.id = ${projectId} and ${mayInvite(sql)}`
  return rows.length > 0
}

/** No tenant: the token determines it. */
export async function findInviteByToken(sql: Sql, tokenHash: Buffer, now: Date) {
  const [row] = await selectOpenInvites(sql, now, sql`i.token_hash = ${tokenHash}`)
  return row ?? null
}

export async function findOpenInvite(sql: Sql, orgId: string, id: string, now: Date) {
  const [row] = await selectOpenInvites(sql, now, sql`i.org_id = ${orgId} and i.id = ${id}`)
  return row ?? null
}

/** An invite is valid while its creator may invite. */
const selectOpenInvites = (sql: Sql, now: Date, condition: Fragment) => sql<OpenInviteRow[]>`
    select ${columns(sql)}, o.name as "orgName", p.workspace_id as "workspaceId", w.name as "workspaceName",
      p.name as "projectName", p.emoji, u.name as "inviterName"
    from project_invites i
    join organizations o on o.id = i.org_id
    join projects p on p.org_id = i.org_id and p.id = i.project_id and p.deleted_at is null and p.visibility = 'team'
    join workspaces w on w.org_id = p.org_id and w.id = p.workspace_id and w.deleted_at is null
    join users u on u.id = i.created_by
    join memberships m on m.org_id = i.org_id and m.user_id = i.created_by
    where ${condition} and ${isOpen(sql, now)} and ${mayInvite(sql)}`

export interface NewInvite {
  id: string
  tokenHash: Buffer
  isMailed: boolean
  role: InviteRole
  email: string | null
  expiresAt: string | null
  maxUses: number | null
  createdBy: string
  now: Date
}

/** Replaces this address's invite, or the invite without one. */
export async function insertInvite(sql: Sql, orgId: string, projectId: string, invite: NewInvite) {
  const [row] = await sql<(InviteRow & { inviterName: string })[]>`
    with i as (insert into project_invites (org_id, project_id, id, token_hash, role, email, expires_at, max_uses, created_by,
      created_at, is_mailed)
    values (${orgId}, ${projectId}, ${invite.id}, ${invite.tokenHash}, ${invite.role}, ${invite.email},
      ${invite.expiresAt}, ${invite.maxUses}, ${invite.createdBy}, ${invite.now}, ${invite.isMailed})
    on conflict (org_id, project_id, coalesce(email, '')) do update set id = excluded.id,
      token_hash = excluded.token_hash, role = excluded.role, expires_at = excluded.expires_at,
      max_uses = excluded.max_uses, uses = 0, created_by = excluded.created_by, created_at = excluded.created_at,
      is_mailed = excluded.is_mailed
    returning *)
    select ${columns(sql)}, u.name as "inviterName" from i join users u on u.id = i.created_by`
  return row!
}

export async function deleteInvite(sql: Sql, orgId: string, projectId: string, id: string) {
  const [row] = await sql<InviteRow[]>`
    delete from project_invites i where i.org_id = ${orgId} and i.project_id = ${projectId} and i.id = ${id}
    returning ${columns(sql)}`
  return row ?? null
}

/** Returns false if no use is left, or the invite was revoked or has expired. */
export async function updateUsed(sql: Sql, orgId: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql`
    update project_invites i set uses = uses + 1
    where i.org_id = ${orgId} and i.id = ${id} and ${isOpen(sql, now)} returning i.id`
  return rows.length > 0
}
