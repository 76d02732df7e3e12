import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import type { Context } from '../../../../context.ts'
import { badRequest, forbidden, notFound, raise } from '../../../../errors.ts'
import { requireEdit } from '../access.ts'
import { publishFileEvent } from '../events.ts'
import { recordChange, stateBefore } from '../record-change.ts'
import { present } from '../records.ts'
import { checkDepth, findRootFolder, resolveDestination } from '../tree/destination.ts'
import {
  findFolder,
  findFolderNamed,
  findHeight,
  lockFolder,
  lockTree,
  updateParent,
  updateTrashed,
  updateUntrashed,
} from '../tree/folder-queries.ts'
import { createFolder } from '../tree/folders.ts'
import { findMovable } from '../tree/update.ts'
import { purge } from './purge.ts'
import * as queries from './queries.ts'

export async function remove(ctx: Context, { id, permanent }: InputOf<typeof files.remove>) {
  await (permanent ? purge(ctx, id) : trash(ctx, id))
  return { deleted: true as const, permanent }
}

async function trash(ctx: Context, id: string): Promise<void> {
  const { orgId } = ctx.caller
  const row = await findMovable(ctx, id)
  if (row.status === 'pending' && (await queries.deletePending(ctx.sql, orgId, id))) return
  await ctx.transaction(async (inside) => {
    if (row.source === 'folder') await lockTree(inside.sql, orgId, 'change')
    const before = await stateBefore(inside, id)
    if (!(await queries.updateDeleted(inside.sql, ctx.caller, id, ctx.now()))) throw notFound('File')
    if (row.source === 'folder') await updateTrashed(inside.sql, orgId, id)
    await recordChange(inside, { id, before })
    await publishFileEvent(inside, 'file.deleted', row)
  })
}

/** A folder comes back with exactly the contents trashed with it. */
export async function restore(ctx: Context<'quotas'>, { id, parentId }: InputOf<typeof files.restore>) {
  const { orgId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockTree(inside.sql, orgId, 'change')
    const trashed = await findRestorable(inside, id)
    const parent =
      parentId === undefined
        ? await restoreParentFolder(inside, trashed)
        : await resolveDestination(inside, { parentId })
    const before = await stateBefore(inside, id)
    if (trashed.source === 'folder') await restoreFolder(inside, id, parent)
    const row = await queries.updateRestored(inside.sql, ctx.caller, id, parent.id, ctx.now())
    await recordChange(inside, { id, before })
    await publishFileEvent(inside, 'file.restored', row)
    return present(row)
  })
}

async function findRestorable(ctx: Context, id: string): Promise<queries.TrashStateRow> {
  const row = (await queries.findIncludingTrashed(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  requireEdit(row)
  if (row.isTrashedWithFolder) throw badRequest('This file was trashed with its folder: restore the folder')
  if (!row.isDeleted) throw badRequest('This file is not in the trash')
  if (row.protected) throw forbidden('This folder is protected: it is restored with its project')
  return row
}

type Parent = Awaited<ReturnType<typeof resolveDestination>>

async function restoreFolder(ctx: Context, id: string, parent: Parent): Promise<void> {
  const { orgId } = ctx.caller
  const folder = (await findFolder(ctx.sql, orgId, id)) ?? raise(notFound('File'))
  await updateUntrashed(ctx.sql, orgId, id)
  if (folder.parentId === parent.id) return
  checkDepth(parent, 1 + (await findHeight(ctx.sql, orgId, folder)))
  await updateParent(ctx.sql, orgId, folder, parent)
}

/** Recreates missing ancestors, or reuses folders with the same name. */
async function restoreParentFolder(
  ctx: Context<'quotas'>,
  { trashedFrom, projectId }: queries.TrashStateRow,
): Promise<Parent> {
  const { orgId } = ctx.caller
  const ancestors = trashedFrom ?? []
  const existing = await queries.listEditableFolders(
    ctx.sql,
    ctx.caller,
    ancestors.map(({ id }) => id),
  )
  const nearest = ancestors.findLastIndex(({ id }) => existing.some((folder) => folder.id === id))
  let folderId = ancestors[nearest]?.id ?? (await findRootFolder(ctx, projectId)).id
  for (const { name } of ancestors.slice(nearest + 1)) {
    const parentId = folderId === orgId ? null : folderId
    const found = await findFolderNamed(ctx.sql, orgId, folderId, name)
    folderId = (found ?? (await createFolder(ctx, { name, parentId }))).id
  }
  return (await lockFolder(ctx.sql, orgId, folderId)) ?? raise(notFound('File'))
}
