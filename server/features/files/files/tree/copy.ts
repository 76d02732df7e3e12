import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import type { Context } from '../../../../context.ts'
import { isForeignKeyViolation } from '../../../../database/pg-errors.ts'
import { badRequest, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { recordChange } from '../changes/record-change.ts'
import { publishFileEvent } from '../events.ts'
import { copyNameOf } from '../names.ts'
import { findFile, insertFile } from '../queries.ts'
import { type FileRow, present } from '../records.ts'
import { insertCopies, listSubtree, type Subtree } from './copy-queries.ts'
import { checkDepth, resolveDestination } from './destination.ts'
import { type FolderRow, findFolder, lockTree } from './folder-queries.ts'
import { createFolder } from './folders.ts'

/** A copy is one transaction, so its size is limited. */
const COPIES_MAX = 100_000

/** Copies a file, sharing its stored object, or a folder with its contents. The default destination is the same folder. */
export async function copyFile(ctx: Context, { id, name, parentId }: InputOf<typeof files.copy>) {
  // All copies have the same time, so that an undo recognizes files that were added to them afterwards.
  const at = ctx.now()
  const copy = await ctx
    .transaction(async (transaction) => {
      const inside = { ...transaction, now: () => at }
      const original = (await findFile(inside.sql, ctx.caller, id)) ?? raise(notFound('File'))
      if (original.status === 'pending') throw notFound('File')
      const sameParentId = original.parentId === ctx.caller.orgId ? null : original.parentId
      const to = {
        name: name ?? copyNameOf(original.name, original.source),
        parentId: parentId === undefined ? sameParentId : parentId,
      }
      return original.source === 'folder'
        ? copyFolderTree(inside, original, to)
        : copySingleFile(inside, original, to)
    })
    .catch(mapPurgedToNotFound)
  return present(copy)
}

interface CopyDestination {
  name: string
  parentId: string | null
}

async function copySingleFile(
  ctx: Context,
  original: FileRow,
  { name, parentId }: CopyDestination,
): Promise<FileRow> {
  const parent = await resolveDestination(ctx, { parentId })
  const { source, mimeType, size, objectKey, sha256, targetId, tags } = original
  const bytes = source === 'link' ? { targetId: targetId! } : { objectKey: objectKey!, sha256 }
  const copy = { id: newId(), parentId: parent.id, source, name, mimeType, size, tags, ...bytes }
  const by = { createdBy: ctx.caller.userId, now: ctx.now() }
  const storage = source === 'link' ? 0 : size
  await ctx.quotas.reserve(ctx.sql, ctx.caller.orgId, { files: 1, storage })
  const row = await insertFile(ctx.sql, ctx.caller.orgId, { ...copy, ...by })
  await recordChange(ctx, { id: row.id, before: null })
  await publishFileEvent(ctx, 'file.created', row)
  return row
}

async function copyFolderTree(ctx: Context, original: FileRow, to: CopyDestination): Promise<FileRow> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'add')
  // Checks again under the lock: the folder may have been moved to a project that the viewer cannot see.
  if (!(await findFile(ctx.sql, ctx.caller, original.id))) throw notFound('File')
  const subtree = await readSubtree(ctx, original.id)
  const copy = await createFolder(ctx, { ...to, tags: original.tags })
  const folder = (await findFolder(ctx.sql, orgId, copy.id)) ?? raise(notFound('File'))
  await copyContents(ctx, original.id, subtree, folder)
  return copy
}

export async function readSubtree(ctx: Context, folderId: string): Promise<Subtree> {
  const subtree = await listSubtree(ctx.sql, ctx.caller.orgId, folderId, COPIES_MAX + 1)
  if (subtree.folders.length + subtree.files.length <= COPIES_MAX) return subtree
  throw badRequest(`Only ${COPIES_MAX.toLocaleString('en-US')} files can be copied in one call`)
}

/** Returns the id of the copy by original id. */
export async function copyContents(
  ctx: Context,
  from: string,
  { folders, files, height, bytes }: Subtree,
  to: FolderRow,
): Promise<Map<string, string>> {
  checkDepth(to, height)
  const ids = new Map([...folders, ...files].map((id) => [id, newId()]))
  const { userId: createdBy, orgId } = ctx.caller
  await ctx.quotas.reserve(ctx.sql, orgId, { files: ids.size, storage: bytes })
  await insertCopies(ctx.sql, orgId, { ids, folders, files, from, to, createdBy, now: ctx.now() })
  return ids
}

/** A purge during the copy removes the object, which violates the foreign key of the new record. */
function mapPurgedToNotFound(error: unknown): never {
  throw isForeignKeyViolation(error, 'files_org_id_object_key_fkey') ? notFound('File') : error
}
