import type { PUBLIC_LINK_CREATORS } from '../../../../contract/files/public-links.ts'
import type { Fragment, Sql } from '../../../database/database.ts'

export interface LinkRow {
  orgId: string
  id: string
  fileId: string
  passwordHash: string | null
  expiresAt: string | null
  createdBy: string
  createdAt: string
  lastUsedAt: string | null
}

const columns = (sql: Sql): Fragment => sql`
  l.org_id as "orgId", l.id, l.file_id as "fileId", l.password_hash as "passwordHash", l.expires_at as "expiresAt",
  l.created_by as "createdBy", l.created_at as "createdAt", l.last_used_at as "lastUsedAt"`

export const listLinks = (sql: Sql, orgId: string, fileId: string, limit: number) => sql<LinkRow[]>`
  select ${columns(sql)} from public_links l where l.org_id = ${orgId} and l.file_id = ${fileId}
  order by l.id desc limit ${limit}`

export const listAllLinks = (
  sql: Sql,
  orgId: string,
  { createdBy, before, limit }: { createdBy: string | undefined; before: string | null; limit: number },
) => sql<LinkRow[]>`
  select ${columns(sql)} from public_links l
  where l.org_id = ${orgId} ${createdBy === undefined ? sql`` : sql`and l.created_by = ${createdBy}`}
    ${before === null ? sql`` : sql`and l.id < ${before}`}
  order by l.id desc limit ${limit}`

export const deleteLinksBy = (sql: Sql, orgId: string, createdBy: string, limit: number) => sql<
  { id: string; fileId: string }[]
>`
  delete from public_links l where l.org_id = ${orgId} and l.id = any(array(
    select o.id from public_links o where o.org_id = ${orgId} and o.created_by = ${createdBy} limit ${limit}))
  returning l.id, l.file_id as "fileId"`

/** Serializes link creation per file, so the count is exact. */
export async function lockLinks(sql: Sql, orgId: string, fileId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`public links ${orgId} ${fileId}`}, 0))`
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from public_links where org_id = ${orgId} and file_id = ${fileId}`
  return row!.count
}

export interface NewLink {
  id: string
  fileId: string
  tokenHash: Buffer
  passwordHash: string | null
  expiresAt: string | null
  createdBy: string
  now: Date
}

export async function insertLink(sql: Sql, orgId: string, link: NewLink): Promise<LinkRow> {
  const [row] = await sql<LinkRow[]>`
    insert into public_links as l (org_id, id, file_id, token_hash, password_hash, expires_at, created_by, created_at)
    values (${orgId}, ${link.id}, ${link.fileId}, ${link.tokenHash}, ${link.passwordHash}, ${link.expiresAt},
      ${link.createdBy}, ${link.now})
    returning ${columns(sql)}`
  return row!
}

/** The link gets the rights of the member who renews it. */
export async function updateLinkToken(
  sql: Sql,
  orgId: string,
  link: Pick<NewLink, 'id' | 'fileId' | 'tokenHash' | 'createdBy'> & { nextId: string },
): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    update public_links l set id = ${link.nextId}, token_hash = ${link.tokenHash}, created_by = ${link.createdBy}
    where l.org_id = ${orgId} and l.file_id = ${link.fileId} and l.id = ${link.id}
    returning ${columns(sql)}`
  return row ?? null
}

export async function deleteLink(sql: Sql, orgId: string, fileId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from public_links where org_id = ${orgId} and file_id = ${fileId} and id = ${id} returning id`
  return rows.length > 0
}

/** No tenant: the link's token determines it. */
export async function findLinkByToken(sql: Sql, tokenHash: Buffer): Promise<LinkRow | null> {
  const [row] = await sql<
    LinkRow[]
  >`select ${columns(sql)} from public_links l where l.token_hash = ${tokenHash}`
  return row ?? null
}

export async function findLink(sql: Sql, orgId: string, id: string): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    select ${columns(sql)} from public_links l where l.org_id = ${orgId} and l.id = ${id}`
  return row ?? null
}

/** At most once a minute, so a page with many images doesn't write for each. */
export async function updateUsed(sql: Sql, orgId: string, id: string, now: Date): Promise<void> {
  await sql`
    update public_links set last_used_at = ${now}
    where org_id = ${orgId} and id = ${id}
      and (last_used_at is null or last_used_at < ${new Date(now.getTime() - 60_000)})`
}

export type Creators = (typeof PUBLIC_LINK_CREATORS)[number]

export async function findAllowed(sql: Sql, orgId: string): Promise<Creators> {
  const [row] = await sql<{ allowedFor: Creators }[]>`
    select allowed_for as "allowedFor" from public_link_settings where org_id = ${orgId}`
  return row?.allowedFor ?? 'members'
}

export async function upsertAllowed(
  sql: Sql,
  orgId: string,
  { allowedFor, by, now }: { allowedFor: Creators; by: string; now: Date },
): Promise<void> {
  await sql`
    insert into public_link_settings (org_id, allowed_for, updated_by, updated_at)
    values (${orgId}, ${allowedFor}, ${by}, ${now})
    on conflict (org_id) do update set allowed_for = excluded.allowed_for, updated_by = excluded.updated_by,
      updated_at = excluded.updated_at`
}
