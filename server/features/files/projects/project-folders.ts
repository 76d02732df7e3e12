import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { newId } from '../../../security/ids.ts'
import { insertFile } from '../queries.ts'
import { FOLDER_TYPE } from '../records.ts'
import { copyContents, readSubtree } from '../tree/copy.ts'
import {
  findFolder,
  findProjectFolder,
  insertFolder,
  lockFolder,
  lockTree,
  updateTrashed,
  updateUntrashed,
} from '../tree/folder-queries.ts'
import {
  updateProjectFolderDeleted,
  updateProjectFolderName,
  updateProjectFolderRestored,
} from './project-folder-queries.ts'

/** Every function here is for the transaction in which the project itself changes. */

/** The folder of a new project: in the root, protected. Returns its id. */
export async function provisionProjectFolder(ctx: Context, projectId: string, name: string): Promise<string> {
  const { orgId, userId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'add')
  const parent = (await lockFolder(ctx.sql, orgId, orgId)) ?? raise(notFound('Organization'))
  const { id } = await insertFolder(ctx.sql, orgId, { id: newId(), parent, projectId })
  await insertFile(ctx.sql, orgId, {
    id,
    parentId: orgId,
    source: 'folder',
    name,
    mimeType: FOLDER_TYPE,
    protected: true,
    createdBy: userId,
    now: ctx.now(),
  })
  return id
}

export async function renameProjectFolder(ctx: Context, projectId: string, name: string): Promise<void> {
  const { id } = await folderOf(ctx, projectId)
  await updateProjectFolderName(ctx.sql, ctx.caller.orgId, { id, name, now: ctx.now() })
}

/** With everything in it. It is not restored or purged from the trash like others, but with its project. */
export async function trashProjectFolder(ctx: Context, projectId: string): Promise<void> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'change')
  const { id } = await folderOf(ctx, projectId)
  await updateProjectFolderDeleted(ctx.sql, orgId, id, ctx.now())
  await updateTrashed(ctx.sql, orgId, id)
}

/** With exactly what went with it: what was in the trash before stays there. */
export async function restoreProjectFolder(ctx: Context, projectId: string): Promise<void> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'change')
  const folder = await updateProjectFolderRestored(ctx.sql, orgId, projectId, ctx.now())
  if (!folder) throw notFound('Project')
  await updateUntrashed(ctx.sql, orgId, folder.id)
}

const folderOf = async (ctx: Context, projectId: string) =>
  (await findProjectFolder(ctx.sql, ctx.caller.orgId, projectId)) ?? raise(notFound('Project'))

/** Copies what is in one folder into another, on the same stored bytes. Returns which copy each original has. */
export async function copyFolder(ctx: Context, fromId: string, toId: string): Promise<Map<string, string>> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'add')
  const from = await findFolder(ctx.sql, orgId, fromId)
  const to = await lockFolder(ctx.sql, orgId, toId)
  if (!from || from.trashedBy !== null || !to) throw notFound('Folder')
  return copyContents(ctx, fromId, await readSubtree(ctx, fromId), to)
}
