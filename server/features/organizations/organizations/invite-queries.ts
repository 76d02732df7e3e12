import type { Sql } from '../../../database/database.ts'

type InvitedRole = 'admin' | 'member'

export interface InviteRow {
  orgId: string
  orgName: string
  id: string
  email: string
  role: InvitedRole
  inviterId: string
  inviterName: string
  /** The link went only to the email address, so opening it proves the address. */
  isMailed: boolean
  createdAt: string
  expiresAt: string
}

const columns = (sql: Sql) => sql`
  i.org_id as "orgId", o.name as "orgName", i.id, i.email, i.role, u.id as "inviterId", u.name as "inviterName",
  i.created_at as "createdAt", i.expires_at as "expiresAt", i.is_mailed as "isMailed"`

export async function listInvites(sql: Sql, orgId: string, now: Date, before: string | null, limit: number) {
  return sql<InviteRow[]>`
    select ${columns(sql)}
    from invites i join users u on u.id = i.invited_by join organizations o on o.id = i.org_id
    where i.org_id = ${orgId} and i.expires_at > ${now} and ${before ? sql`i.id < ${before}` : sql`true`}
    order by i.id desc limit ${limit}`
}

/** The only lookup without a tenant, because the secret identifies the invitation. */
export async function findInviteByToken(sql: Sql, tokenHash: Buffer, now: Date) {
  const [row] = await sql<InviteRow[]>`
    select ${columns(sql)}
    from invites i join users u on u.id = i.invited_by join organizations o on o.id = i.org_id
    where i.token_hash = ${tokenHash} and i.expires_at > ${now}`
  return row ?? null
}

/** With `isVerified`, only a verified address counts. */
export async function isMember(
  sql: Sql,
  orgId: string,
  email: string,
  isVerified: true | null,
): Promise<boolean> {
  const rows = await sql`
    select from users u join memberships m on m.user_id = u.id and m.org_id = ${orgId}
    where lower(u.email) = lower(${email}) and (${isVerified}::boolean is null or u.email_verified_at is not null)`
  return rows.length > 0
}

export interface NewInvite {
  id: string
  email: string
  role: InvitedRole
  tokenHash: Buffer
  isMailed: boolean
  invitedBy: string
  now: Date
  expiresAt: Date
}

export async function insertInvite(sql: Sql, orgId: string, invite: NewInvite): Promise<InviteRow> {
  const [row] = await sql<InviteRow[]>`
    with i as (
      insert into invites (org_id, id, email, role, token_hash, invited_by, created_at, expires_at, is_mailed)
      values (${orgId}, ${invite.id}, ${invite.email}, ${invite.role}, ${invite.tokenHash}, ${invite.invitedBy},
        ${invite.now}, ${invite.expiresAt}, ${invite.isMailed})
      on conflict (org_id, lower(email)) do update set id = excluded.id, role = excluded.role,
        token_hash = excluded.token_hash, invited_by = excluded.invited_by, created_at = excluded.created_at,
        expires_at = excluded.expires_at, is_mailed = excluded.is_mailed
      returning *
    )
    select ${columns(sql)} from i join users u on u.id = i.invited_by join organizations o on o.id = i.org_id`
  return row!
}

export async function deleteInvite(sql: Sql, orgId: string, id: string, now: Date) {
  const [row] = await sql<{ id: string; email: string }[]>`
    delete from invites where org_id = ${orgId} and id = ${id} and expires_at > ${now} returning id, email`
  return row ?? null
}

export const deleteInvitesBy = (sql: Sql, orgId: string, userId: string) =>
  sql`delete from invites where org_id = ${orgId} and invited_by = ${userId}`
