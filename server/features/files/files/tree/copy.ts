import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { files } from '../../../../../contract/files/files.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isForeignKeyViolation } from '../../../../database/pg-errors.ts'
import { badRequest, notFound, raise } from '../../../../errors.ts'
import { newId } from '../../../../security/ids.ts'
import { publishFileEvent } from '../events.ts'
import { toCopyName } from '../names.ts'
import { findFile, insertFile } from '../queries.ts'
import { recordChange } from '../record-change.ts'
import { type FileRow, present } from '../records.ts'
import { checkDepth, resolveDestination } from './destination.ts'
import { type FolderRow, findFolder, lockTree } from './folder-queries.ts'
import { createFolder } from './folders.ts'

/** A copy is one transaction, so its size is limited. */
const COPIES_MAX = 100_000

/** A copied file shares its stored object. Defaults to the same folder. */
export async function copyFile(ctx: Context<'quotas'>, { id, name, parentId }: InputOf<typeof files.copy>) {
  // All copies have the same time, so an undo recognizes files added later.
  const at = ctx.now()
  const copy = await ctx
    .transaction(async (transaction) => {
      const inside = { ...transaction, now: () => at }
      const original = (await findFile(inside.sql, ctx.caller, id)) ?? raise(notFound('File'))
      if (original.status === 'pending') throw notFound('File')
      const sameParentId = original.parentId === ctx.caller.orgId ? null : original.parentId
      const to = {
        name: name ?? toCopyName(original.name, original.source),
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
  ctx: Context<'quotas'>,
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

async function copyFolderTree(
  ctx: Context<'quotas'>,
  original: FileRow,
  to: CopyDestination,
): Promise<FileRow> {
  const { orgId } = ctx.caller
  await lockTree(ctx.sql, orgId, 'add')
  // Rechecks under the lock: the folder may have moved to a project hidden from the viewer.
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

export async function copyContents(
  ctx: Context<'quotas'>,
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

/** A purge during the copy violates the new record's foreign key. */
function mapPurgedToNotFound(error: unknown): never {
  throw isForeignKeyViolation(error, 'files_org_id_object_key_fkey') ? notFound('File') : error
}

interface Subtree {
  folders: string[]
  files: string[]
  height: number
  /** Total file size, without links. */
  bytes: number
}

async function listSubtree(sql: Sql, orgId: string, folderId: string, limit: number): Promise<Subtree> {
  const rows = await sql<{ id: string; depth: number }[]>`
    select s.id, cardinality(s.path) as depth from folders s
    where s.org_id = ${orgId} and s.path @> ${[folderId]}::uuid[] and s.trashed_by is null limit ${limit}`
  const files = await sql<{ id: string; bytes: number }[]>`
    select f.id, case f.source when 'upload' then f.size else 0 end as bytes from folders s join files f on f.org_id = s.org_id and f.parent_id = s.id
    where s.org_id = ${orgId} and s.path @> ${[folderId]}::uuid[] and s.trashed_by is null
      and f.source <> 'folder' and f.deleted_at is null and f.status = 'ready' limit ${limit}`
  const depths = rows.map(({ depth }) => depth)
  return {
    folders: rows.map(({ id }) => id).filter((id) => id !== folderId),
    files: files.map(({ id }) => id),
    height: Math.max(...depths) - Math.min(...depths),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

interface Copies {
  ids: Map<string, string>
  folders: string[]
  files: string[]
  from: string
  to: Pick<FolderRow, 'id' | 'path' | 'projectId'>
  createdBy: string
  now: Date
}

/** A link points to its target's copy if the target is copied too. */
async function insertCopies(sql: Sql, orgId: string, copies: Copies): Promise<void> {
  const { folders, files, from, to, ids } = copies
  const copyOf = (list: string[]) => list.map((id) => ids.get(id)!)
  const all = sql`copies (old, new) as (
    select * from unnest(${[from, ...folders, ...files]}::uuid[], ${[to.id, ...copyOf([...folders, ...files])]}::uuid[]))`
  if (folders.length > 0) {
    await sql`
      with ${all}
      insert into folders (org_id, id, parent_id, path, project_id)
      select s.org_id, own.new, parent.new, ${to.path}::uuid[] || array(
          select c.new from unnest(s.path) with ordinality step (id, depth) join copies c on c.old = step.id
          where step.id <> ${from} order by step.depth), ${to.projectId}
      from folders s join copies own on own.old = s.id join copies parent on parent.old = s.parent_id
      where s.org_id = ${orgId} and s.id = any(${folders}::uuid[])`
  }
  await sql`
    with ${all}
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
      target_id, tags, created_by, created_at, updated_at)
    select f.org_id, own.new, parent.new, f.source, f.name, f.sort_key, f.search_key, f.mime_type, f.size, f.object_key,
      f.sha256, coalesce(target.new, f.target_id), f.tags, ${copies.createdBy}, ${copies.now}, ${copies.now}
    from files f join copies own on own.old = f.id join copies parent on parent.old = f.parent_id
    left join copies target on target.old = f.target_id
    where f.org_id = ${orgId} and f.id = any(${[...folders, ...files]}::uuid[])`
}
