import type { PublicContext } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { findFile, isServed } from '../files/files.ts'
import { findRole } from '../membership/membership.ts'
import type { Viewer } from '../project-access/project-access.ts'
import { type Creators, findAllowed, type LinkRow } from './queries.ts'

/** An active link: its file, as its creator sees it at this moment. */
export interface ActiveLink {
  link: LinkRow
  viewer: Viewer
  file: NonNullable<Awaited<ReturnType<typeof findFile>>>
}

/**
 * A link works while its creator can edit its file and may create links: it ends with their membership, their access to
 * the project, the deletion of the file or of a folder above it, its expiry, and the setting of the organization.
 */
export async function resolveLink(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  link: LinkRow,
): Promise<ActiveLink | null> {
  const { orgId, createdBy: userId } = link
  if (link.expiresAt !== null && Date.parse(link.expiresAt) <= now().getTime()) return null
  const role = await findRole(sql, orgId, userId)
  if (!role || !(await mayCreate(sql, { orgId, role }))) return null
  const viewer: Viewer = { orgId, userId, role }
  const file = await findFile(sql, viewer, link.fileId)
  return file?.access === 'edit' && isServed(file) ? { link, viewer, file } : null
}

export const mayCreate = async (sql: Sql, { orgId, role }: Pick<Viewer, 'orgId' | 'role'>) =>
  isAllowed(await findAllowed(sql, orgId), role)

const isAllowed = (creators: Creators, role: Viewer['role']) =>
  creators === 'members' || (creators === 'admins' && role !== 'member')
