import type { InputOf } from '../../../../contract/endpoint.ts'
import type { files } from '../../../../contract/files/files.ts'
import type { Context } from '../../../context.ts'
import { badRequest, forbidden, notFound, raise, viewOnly } from '../../../errors.ts'
import { publishFileEvent } from '../events.ts'
import { present } from '../records.ts'
import { checkDepth, resolveDestination, rootFolderOf } from '../tree/destination.ts'
import {
  findFolder,
  findHeight,
  lockFolder,
  lockTree,
  updateParent,
  updateUntrashed,
} from '../tree/folder-queries.ts'
import { createFolder } from '../tree/folders.ts'
import * as queries from './trash-queries.ts'

/** Back to where it was, or to `parentId`; a folder with exactly what it took along. */
export async function restore(ctx: Context, { id, parentId }: InputOf<typeof files.restore>) {
  const { orgId } = ctx.caller
  return ctx.transaction(async (inside) => {
    await lockTree(inside.sql, orgId, 'change')
    const trashed = await findRestorable(inside, id)
    const parent =
      parentId === undefined
        ? await restoreParentFolder(inside, trashed)
        : await resolveDestination(inside, { parentId })
    if (trashed.source === 'folder') await restoreFolder(inside, id, parent)
    const row = await queries.updateRestored(inside.sql, ctx.caller, id, parent.id, ctx.now())
    await publishFileEvent(inside, 'file.restored', row)
    return present(row)
  })
}

async function findRestorable(ctx: Context, id: string): Promise<queries.TrashedRow> {
  const row = (await queries.findInTrash(ctx.sql, ctx.caller, id)) ?? raise(notFound('File'))
  if (row.access === 'view') throw viewOnly()
  if (row.isTrashedWithFolder) throw badRequest('This went to the trash with its folder: restore the folder')
  if (!row.isDeleted) throw badRequest('This is not in the trash')
  if (row.protected) throw forbidden('This folder is protected: it comes back with what it belongs to')
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

/** The nearest folder above that is still there; those below it are made anew, or found by their name. */
async function restoreParentFolder(
  ctx: Context,
  { trashedFrom, projectId }: queries.TrashedRow,
): Promise<Parent> {
  const { orgId } = ctx.caller
  const above = trashedFrom ?? []
  const places = await queries.listEditableFolders(
    ctx.sql,
    ctx.caller,
    above.map(({ id }) => id),
  )
  const nearest = above.findLastIndex(({ id }) => places.some((place) => place.id === id))
  let home = above[nearest]?.id ?? (await rootFolderOf(ctx, projectId)).id
  for (const { name } of above.slice(nearest + 1)) {
    const parentId = home === orgId ? null : home
    const found = await queries.findFolderNamed(ctx.sql, orgId, home, name)
    home = (found ?? (await createFolder(ctx, { name, parentId }))).id
  }
  return (await lockFolder(ctx.sql, orgId, home)) ?? raise(notFound('File'))
}
