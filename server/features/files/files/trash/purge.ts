import { type AuditEntry, recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { badRequest, forbidden, notFound, raise } from '../../../../errors.ts'
import { canPurge, requireEdit } from '../access.ts'
import { publishFileEvent } from '../events.ts'
import { removeUnownedObjects } from '../objects.ts'
import { findRootFolder } from '../tree/destination.ts'
import { lockTree } from '../tree/folder-queries.ts'
import * as queries from './queries.ts'

/** A job, which can be retried, removes the objects. */
export async function purge(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async (inside) => {
    await lockTree(inside.sql, ctx.caller.orgId, 'change')
    await deletePermanently(inside, await findPurgeable(inside, id), ctx.caller)
  })
}

type PurgedFile = Pick<queries.TrashStateRow, 'id' | 'name' | 'source' | 'projectId'>

/** Includes contents trashed with the folder. The caller must hold the tree lock. */
export async function deletePermanently(
  inside: PublicContext,
  { id, name, source, projectId }: PurgedFile,
  by: AuditEntry['by'],
): Promise<void> {
  const { orgId } = by
  const { sql } = inside
  if (source === 'folder')
    await queries.updateSeparatelyTrashed(
      sql,
      orgId,
      id,
      await findRootFolder({ sql, caller: { orgId } }, projectId),
    )
  const contentKeys = source === 'folder' ? await queries.deleteContents(sql, orgId, id) : []
  const keys = [...(await queries.deleteRecord(sql, orgId, id)), ...contentKeys]
  await removeUnownedObjects(inside, orgId, keys)
  // Audit log readers may not see the project, so file names are left out.
  const details: Record<string, string> = projectId === null ? { name } : { projectId }
  await recordAudit(inside, { action: 'file.purged', by, target: id, details })
  await publishFileEvent(inside, 'file.purged', { orgId, id, source, projectId })
}

async function findPurgeable(ctx: Context, id: string): Promise<queries.TrashStateRow> {
  const row = (await queries.findIncludingTrashed(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  requireEdit(row)
  if (row.isTrashedWithFolder) throw badRequest('This file was trashed with its folder: purge the folder')
  if (!row.isDeleted) throw badRequest('Only trashed files can be purged')
  if (row.protected) throw forbidden('This folder is protected: it is purged with its project')
  if (!(await canPurge(ctx.sql, ctx.caller, id, row.projectId)))
    throw forbidden(NOT_CREATOR_MESSAGES[row.source], { reason: 'not_creator' })
  return row
}

const NOT_CREATOR_MESSAGES = {
  upload: 'Only this file’s creator, admins and owners can purge it',
  link: 'Only this link’s creator, admins and owners can purge it',
  folder:
    'Only admins and owners can purge a folder that other members created or that contains other members’ files',
}
