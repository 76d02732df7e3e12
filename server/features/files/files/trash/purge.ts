import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { fileTrash } from '../../../../../contract/files/retention.ts'
import { type AuditEntry, recordAudit } from '../../../../audit/record.ts'
import type { Context, PublicContext } from '../../../../context.ts'
import { ApiError, badRequest, forbidden, notFound, raise } from '../../../../errors.ts'
import { requireEditor } from '../../../organizations/membership/membership.ts'
import { canPurge, requireEdit } from '../access.ts'
import { publishFileEvent } from '../events.ts'
import { removeUnownedObjects } from '../objects.ts'
import { rootFolderOf } from '../tree/destination.ts'
import { lockTree } from '../tree/folder-queries.ts'
import * as queries from './queries.ts'
import { readRetention } from './retention.ts'

/** Permanently deletes a trashed file or folder. A job, which can be retried, removes the objects. */
export async function purge(ctx: Context, id: string): Promise<void> {
  await ctx.transaction(async (inside) => {
    await lockTree(inside.sql, ctx.caller.orgId, 'change')
    await deletePermanently(inside, await findPurgeable(inside, id), ctx.caller)
  })
}

type PurgedFile = Pick<queries.TrashStateRow, 'id' | 'name' | 'source' | 'projectId'>

/** Deletes a trashed file, or a folder with the contents that were trashed with it, under the lock of the tree. */
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
      await rootFolderOf({ sql, caller: { orgId } }, projectId),
    )
  const contentKeys = source === 'folder' ? await queries.deleteContents(sql, orgId, id) : []
  const keys = [...(await queries.deleteRecord(sql, orgId, id)), ...contentKeys]
  await removeUnownedObjects(inside, orgId, keys)
  // Readers of the audit log may not have access to the project, so its file names are left out.
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
  upload: 'Only the creator of this file, admins and owners can purge it',
  link: 'Only the creator of this link, admins and owners can purge it',
  folder:
    'Only admins and owners can purge a folder that other people created or that contains files of other people',
}

/** One call deletes at most this many entries, and starts none after this time: its caller shows the progress. */
const ENTRIES_MAX = 200
const WORK_MS_MAX = 3000

/** The number and size of the files that the caller could delete permanently. */
export async function summary({ sql, caller, now }: Context) {
  const at = now()
  const { trashDays } = await readRetention(sql, caller.orgId)
  return { ...(await queries.summarizeTrash(sql, caller)), trashDays, at: at.toISOString() }
}

/** Deletes each entry in its own transaction, so that another change of the tree waits for at most one of them. */
export async function empty(ctx: Context, { before }: InputOf<typeof fileTrash.empty>) {
  await requireEditor(ctx, 'files')
  const ids = await queries.listPurgeable(ctx.sql, ctx.caller, {
    before: new Date(before),
    limit: ENTRIES_MAX,
  })
  const end = performance.now() + WORK_MS_MAX
  let tried = 0
  let deleted = 0
  for (const id of ids) {
    if (performance.now() > end) break
    tried++
    if (await purgeUnlessGone(ctx, id)) deleted++
  }
  return { deleted, done: tried === ids.length && ids.length < ENTRIES_MAX }
}

/** False if another caller has restored or deleted it in between. */
async function purgeUnlessGone(ctx: Context, id: string): Promise<boolean> {
  try {
    await purge(ctx, id)
    return true
  } catch (error) {
    if (error instanceof ApiError && ['NOT_FOUND', 'BAD_REQUEST'].includes(error.code)) return false
    throw error
  }
}
