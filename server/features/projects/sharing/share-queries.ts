import type { SHARE_ACCESS } from '../../../../contract/projects/sharing.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { memberProjectAccess } from '../access/access.ts'

export type ShareAccess = (typeof SHARE_ACCESS)[number]

export interface ShareRow {
  orgId: string
  projectId: string
  id: string
  access: ShareAccess
  passwordHash: string | null
  expiresAt: string | null
  /** Changes with token and password and after expiry, which invalidates guest tokens. */
  version: number
  createdBy: string
  createdAt: string
}

export interface OpenShareRow extends ShareRow {
  name: string
  emoji: string | null
  description: string | null
}

const columns = (sql: Sql) => sql`
  s.org_id as "orgId", s.project_id as "projectId", s.id, s.access, s.password_hash as "passwordHash",
  s.expires_at as "expiresAt", s.version, s.created_by as "createdBy", s.created_at as "createdAt"`

/**
 * Active while its creator may edit the project. Ends when they leave the workspaces or organization, or the project
 * becomes another user's private project.
 */
const activeShares = (sql: Sql) => sql`
  project_shares s
  join memberships m on m.org_id = s.org_id and m.user_id = s.created_by
  join projects p on p.org_id = s.org_id and p.id = s.project_id and p.deleted_at is null
    and ${memberProjectAccess(sql, sql`s.created_by`, sql`m.role`)} = 'edit'`

/** Includes an expired link, because its expiry can be extended. */
export async function findShare(sql: Sql, orgId: string, projectId: string) {
  const [row] = await sql<ShareRow[]>`
    select ${columns(sql)} from ${activeShares(sql)} where s.org_id = ${orgId} and s.project_id = ${projectId}`
  return row ?? null
}

/** No tenant: the link's token determines it. */
export const findShareByToken = (sql: Sql, tokenHash: Buffer, now: Date) =>
  findOpen(sql, sql`s.token_hash = ${tokenHash}`, now)

/** No tenant: the guest token, which only this server can sign, determines it. */
export const findShareByGuestToken = (sql: Sql, token: { id: string; version: number }, now: Date) =>
  findOpen(sql, sql`s.id = ${token.id} and s.version = ${token.version}`, now)

async function findOpen(sql: Sql, condition: Fragment, now: Date) {
  const [row] = await sql<OpenShareRow[]>`
    select ${columns(sql)}, p.name, p.emoji, p.description from ${activeShares(sql)}
    where ${condition} and (s.expires_at is null or s.expires_at > ${now})`
  return row ?? null
}

export interface NewShare {
  id: string
  tokenHash: Buffer
  access: ShareAccess
  passwordHash: string | null
  expiresAt: string | null
  createdBy: string
  now: Date
}

export async function insertShare(sql: Sql, orgId: string, projectId: string, share: NewShare) {
  await sql`delete from project_shares where org_id = ${orgId} and project_id = ${projectId}`
  const [row] = await sql<ShareRow[]>`
    insert into project_shares as s (org_id, project_id, id, token_hash, access, password_hash, expires_at, created_by,
      created_at, updated_at)
    values (${orgId}, ${projectId}, ${share.id}, ${share.tokenHash}, ${share.access}, ${share.passwordHash},
      ${share.expiresAt}, ${share.createdBy}, ${share.now}, ${share.now})
    returning ${columns(sql)}`
  return row!
}

export interface ShareChange {
  /** Null keeps the link. */
  tokenHash: Buffer | null
  access: ShareAccess
  passwordHash: string | null
  expiresAt: string | null
  version: number
  now: Date
}

export async function updateShare(sql: Sql, orgId: string, projectId: string, change: ShareChange) {
  const [row] = await sql<ShareRow[]>`
    update project_shares s set token_hash = coalesce(${change.tokenHash}, token_hash), access = ${change.access},
      password_hash = ${change.passwordHash}, expires_at = ${change.expiresAt}, version = ${change.version},
      updated_at = ${change.now}
    where s.org_id = ${orgId} and s.project_id = ${projectId} returning ${columns(sql)}`
  return row!
}

export async function deleteShare(sql: Sql, orgId: string, projectId: string): Promise<boolean> {
  const rows = await sql`
    delete from project_shares where org_id = ${orgId} and project_id = ${projectId} returning id`
  return rows.length > 0
}
