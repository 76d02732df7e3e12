import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { toSearchKey, toSortKey } from '../../../../database/name-keys.ts'
import { notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
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

/** Call every function in the transaction that changes the project. */

export async function provision(ctx: Context<'quotas'>, projectId: string, name: string): Promise<string> {
  const { orgId, userId } = ctx.caller
  const id = newId()
  // Sent together. Without the parent, the others fail.
  const [reserved, parent, inserted] = await Promise.allSettled([
    ctx.quotas.reserve(ctx.sql, orgId, { files: 1 }),
    lockFolder(ctx.sql, orgId, orgId),
    Promise.all([
      insertFolder(ctx.sql, orgId, { id, parent: { id: orgId, path: [orgId] }, projectId }),
      insertFile(ctx.sql, orgId, {
        id,
        parentId: orgId,
        source: 'folder',
        name,
        mimeType: FOLDER_TYPE,
        protected: true,
        createdBy: userId,
        now: ctx.now(),
      }),
    ]),
  ])
  if (reserved.status === 'rejected') throw reserved.reason
  if (parent.status === 'fulfilled' && !parent.value) throw notFound('Organization')
  if (inserted.status === 'rejected') throw inserted.reason
  return id
}

export async function rename(ctx: Context, projectId: string, name: string): Promise<void> {
  const { id } = await folderOf(ctx, projectId)
  await updateProjectFolderName(ctx.sql, ctx.caller.orgId, { id, name, now: ctx.now() })
}

/** Restored and purged only with its project, never from the trash. */
export async function trash(ctx: Context, projectId: string): Promise<void> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'change')
  const { id } = await folderOf(ctx, projectId)
  await updateProjectFolderDeleted(ctx.sql, orgId, id, ctx.now())
  await updateTrashed(ctx.sql, orgId, id)
}

/** Contents trashed earlier stay in the trash. */
export async function restore(ctx: Context, projectId: string): Promise<void> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'change')
  const folder = await updateProjectFolderRestored(ctx.sql, orgId, projectId, ctx.now())
  if (!folder) throw notFound('Project')
  await updateUntrashed(ctx.sql, orgId, folder.id)
}

const folderOf = async (ctx: Context, projectId: string) =>
  (await findProjectFolder(ctx.sql, ctx.caller.orgId, projectId)) ?? raise(notFound('Project'))

/** Shares the stored objects. Maps original ids to copies. */
export async function copyInto(
  ctx: Context<'quotas'>,
  fromId: string,
  toId: string,
): Promise<Map<string, string>> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'add')
  const from = await findFolder(ctx.sql, orgId, fromId)
  const to = await lockFolder(ctx.sql, orgId, toId)
  if (!from || from.trashedBy !== null || !to) throw notFound('Folder')
  return copyContents(ctx, fromId, await readSubtree(ctx, fromId), to)
}

async function updateProjectFolderName(
  sql: Sql,
  orgId: string,
  { id, name, now }: { id: string; name: string; now: Date },
): Promise<void> {
  await sql`
    update files set name = ${name}, sort_key = ${toSortKey(name)}, search_key = ${toSearchKey(name)},
      version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
}

async function updateProjectFolderDeleted(sql: Sql, orgId: string, id: string, now: Date): Promise<void> {
  await sql`
    update files set deleted_at = ${now}, trashed_from = '[]', version = version + 1, updated_at = ${now}
    where org_id = ${orgId} and id = ${id}`
}

async function updateProjectFolderRestored(sql: Sql, orgId: string, projectId: string, now: Date) {
  const [row] = await sql<{ id: string }[]>`
    update files f set deleted_at = null, trashed_from = null, version = f.version + 1, updated_at = ${now}
    from folders s
    where s.org_id = ${orgId} and s.project_id = ${projectId} and cardinality(s.path) = 2 and s.trashed_by = s.id
      and f.org_id = s.org_id and f.id = s.id
    returning f.id`
  return row ?? null
}
