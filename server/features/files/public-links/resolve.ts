import type { PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { findRole } from '../../organizations/membership/membership.ts'
import type { Viewer } from '../../projects/access/access.ts'
import { findFile, listFiles, read } from '../files/files.ts'
import { type Creators, findAllowed, type LinkRow } from './queries.ts'

export interface ActiveLink {
  link: LinkRow
  viewer: Viewer
  file: NonNullable<Awaited<ReturnType<typeof findFile>>>
}

/**
 * A link works while its creator can edit its file and may create links. It ends with their membership or project
 * access, the file's or a parent folder's deletion, its expiry, or the organization's setting.
 */
export async function resolveLink(
  { sql, now, suspensions }: Pick<PublicContext<'suspensions'>, 'sql' | 'now' | 'suspensions'>,
  link: LinkRow,
): Promise<ActiveLink | null> {
  if (isExpired(link, now())) return null
  suspensions.requireOpenToGuests(link.orgId)
  const viewer = await creatorOf(sql, link.orgId, link.createdBy)
  const file = viewer && (await findFile(sql, viewer, link.fileId))
  return viewer && file && isLinkable(file) ? { link, viewer, file } : null
}

export async function listActive(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  links: readonly LinkRow[],
): Promise<Set<string>> {
  const active = new Set<string>()
  const unexpired = links.filter((link) => !isExpired(link, now()))
  for (const [createdBy, own] of Map.groupBy(unexpired, (link) => link.createdBy)) {
    const viewer = await creatorOf(sql, orgId, createdBy)
    if (!viewer) continue
    const ids = [...new Set(own.map(({ fileId }) => fileId))]
    const files = new Set((await listFiles(sql, viewer, ids)).filter(isLinkable).map(({ id }) => id))
    for (const { id, fileId } of own) if (files.has(fileId)) active.add(id)
  }
  return active
}

export const isExpired = ({ expiresAt }: LinkRow, now: Date): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now.getTime()

async function creatorOf(sql: Sql, orgId: string, userId: string): Promise<Viewer | null> {
  const role = await findRole(sql, orgId, userId)
  return role && (await mayCreate(sql, { orgId, role })) ? { orgId, userId, role } : null
}

const isLinkable = (file: ActiveLink['file']): boolean => file.access === 'edit' && read.isServed(file)

export const mayCreate = async (sql: Sql, { orgId, role }: Pick<Viewer, 'orgId' | 'role'>) =>
  isAllowed(await findAllowed(sql, orgId), role)

const isAllowed = (creators: Creators, role: Viewer['role']) =>
  creators === 'members' || (creators === 'admins' && role !== 'member')
