import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { conflict } from '../../../../errors.ts'
import { updateStored } from '../object-queries.ts'
import { remove } from '../trash/trash.ts'
import { findFolder, findFolderNamed, lockName, lockTree } from '../tree/folder-queries.ts'
import { createFolder } from '../tree/folders.ts'
import { update } from '../tree/update.ts'
import { insertUpload, type StoredUpload } from '../upload/upload.ts'
import { replaceFile } from '../versions/versions.ts'

/** Files that follow something outside. All functions use the caller's permissions, inside a transaction. */

export interface SyncedFile {
  id: string
  name: string
  parentId: string
  projectId: string | null
  sha256: string | null
  isTrashed: boolean
}

/** Null if purged. Call it after `ensureFolders`: moves lock the tree before files. */
export async function lock(sql: Sql, orgId: string, id: string): Promise<SyncedFile | null> {
  const [row] = await sql<SyncedFile[]>`
    select f.id, f.name, f.parent_id as "parentId", p.project_id as "projectId", encode(f.sha256, 'hex') as sha256,
      f.deleted_at is not null or p.trashed_by is not null as "isTrashed"
    from files f join folders p on p.org_id = f.org_id and p.id = f.parent_id
    where f.org_id = ${orgId} and f.id = ${id} for update of f`
  return row ?? null
}

/** Null unless the folder exists, untrashed, in the project. */
export async function findFolderOf(sql: Sql, orgId: string, projectId: string, id: string) {
  const folder = await findFolder(sql, orgId, id)
  return folder?.trashedBy === null && folder.projectId === projectId ? folder : null
}

/** Folders below `rootId`, found by name or created. */
export async function ensureFolders(
  ctx: Context<'quotas'>,
  rootId: string,
  names: readonly string[],
): Promise<string> {
  const { sql, caller } = ctx
  await lockTree(sql, caller.orgId, 'add')
  let parentId = rootId
  for (const name of names) {
    let found = await findFolderNamed(sql, caller.orgId, parentId, name)
    if (!found) {
      await lockName(sql, caller.orgId, parentId, name)
      found = await findFolderNamed(sql, caller.orgId, parentId, name)
    }
    parentId = (found ?? (await createFolder(ctx, { parentId, name }))).id
  }
  return parentId
}

export const insert = (ctx: Context<'quotas'>, upload: StoredUpload, parentId: string) =>
  insertUpload(ctx, upload, { parentId })

/** Becomes the file's next version. */
export async function replace(ctx: Context<'quotas'>, id: string, upload: StoredUpload): Promise<void> {
  if (!(await updateStored(ctx.sql, ctx.caller.orgId, upload.key, ctx.now())))
    throw conflict('The upload took too long: send it again')
  await replaceFile(ctx, id, upload)
}

export async function move(
  ctx: Context,
  id: string,
  { name, parentId }: { name: string; parentId: string },
): Promise<void> {
  await update(ctx, { id, name, parentId })
}

export async function trash(ctx: Context, id: string): Promise<void> {
  await remove(ctx, { id, permanent: false })
}

export const addFolder = (
  ctx: Context<'quotas'>,
  { projectId, parentId, name }: { projectId: string; parentId?: string | undefined; name: string },
) => createFolder(ctx, { projectId, parentId, name })
