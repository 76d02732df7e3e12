import { toPathSegment } from '../../../../../contract/projects/manifest-paths.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { toSearchKey, toSortKey } from '../../../../database/name-keys.ts'
import { newId } from '../../../../security/ids.ts'
import type { Viewer } from '../../../projects/access/access.ts'
import { isFolderVisible } from '../access.ts'
import { FOLDER_TYPE } from '../records.ts'
import { checkDepth, resolveDestination } from '../tree/destination.ts'
import { lockTree } from '../tree/folder-queries.ts'

/** `path` is relative to the project's folder and includes the name. */
export interface FileContent extends ContentKey {
  /** Of the new file. */
  id?: string
  path: string
  name: string
}

/** Files that `createFiles` can create, because the caller sees one with the same content. */
export async function list<F extends ContentKey>(ctx: Context, files: F[]): Promise<F[]> {
  const existing = await keysOf(ctx, files, 'none')
  return files.filter((file) => existing.has(contentIdOf(file)))
}

/**
 * Also creates missing folders. Records share objects with files that the caller sees, including trashed ones. Null
 * where the content doesn't exist. Takes a few statements per folder level for any number of files, because the lock
 * keeps the tree unchanged.
 */
export async function createFiles(
  ctx: Context<'quotas'>,
  projectId: string,
  files: FileContent[],
): Promise<(string | null)[]> {
  const { orgId, userId } = ctx.caller
  if (files.length === 0) return []
  return ctx.transaction(async (inside) => {
    await lockTree(inside.sql, orgId, 'add')
    const root = await resolveDestination(inside, { projectId })
    const keys = await keysOf(inside, files, 'for key share')
    const existing = files.filter((file) => keys.has(contentIdOf(file)))
    const steps = existing.map(foldersOf)
    checkDepth(root, depthOf(steps))
    const folders = await ensureFolders(inside, root.id, steps)
    const records = existing.map((file, index) => ({
      ...file,
      id: file.id ?? newId(),
      parentId: folders.get(pathOf(steps[index]!))!,
      key: keys.get(contentIdOf(file))!,
    }))
    const storage = records.reduce((sum, { size }) => sum + size, 0)
    await ctx.quotas.reserve(inside.sql, orgId, { files: records.length, storage })
    await insertUploads(inside.sql, orgId, records, { createdBy: userId, now: ctx.now() })
    const ids = records.map(({ id }) => id).values()
    return files.map((file) => (keys.has(contentIdOf(file)) ? ids.next().value! : null))
  })
}

const contentIdOf = ({ sha256, mimeType, size }: ContentKey) => `${sha256} ${size} ${mimeType}`
const depthOf = (paths: string[][]) => paths.reduce((max, { length }) => Math.max(max, length), 0)
const pathOf = (steps: string[]) => steps.join('/')
const foldersOf = ({ path, name }: FileContent) =>
  path.slice(0, -toPathSegment(name).length).split('/').filter(Boolean)

async function keysOf({ sql, caller }: Context, files: ContentKey[], lock: 'for key share' | 'none') {
  const distinct = [...new Map(files.map((file) => [contentIdOf(file), file])).values()]
  const existing = await listObjectsByContent(sql, caller, distinct, lock)
  return new Map(existing.map((file) => [contentIdOf(file), file.key]))
}

async function ensureFolders(
  ctx: Context<'quotas'>,
  rootId: string,
  paths: string[][],
): Promise<Map<string, string>> {
  const ids = new Map([['', rootId]])
  const depth = depthOf(paths)
  for (let level = 1; level <= depth; level++) {
    const required = new Map<string, NamedFolder>()
    for (const steps of paths.filter(({ length }) => length >= level)) {
      const parentId = ids.get(pathOf(steps.slice(0, level - 1)))!
      required.set(pathOf(steps.slice(0, level)), { parentId, name: steps[level - 1]! })
    }
    await ensureLevel(ctx, required, ids)
  }
  return ids
}

async function ensureLevel(
  { sql, caller, now, quotas }: Context<'quotas'>,
  required: Map<string, NamedFolder>,
  ids: Map<string, string>,
): Promise<void> {
  const found = await listFoldersNamed(sql, caller.orgId, [...required.values()])
  const keyOf = ({ parentId, name }: NamedFolder) => `${parentId}/${name}`
  const oldest = new Map(found.toReversed().map((folder) => [keyOf(folder), folder.id]))
  const missing: (NamedFolder & { id: string })[] = []
  for (const [path, folder] of required) {
    const id = oldest.get(keyOf(folder)) ?? newId()
    ids.set(path, id)
    if (!oldest.has(keyOf(folder))) missing.push({ ...folder, id })
  }
  if (missing.length === 0) return
  await quotas.reserve(sql, caller.orgId, { files: missing.length })
  await insertFolders(sql, caller.orgId, missing, { createdBy: caller.userId, now: now() })
}

interface ContentKey {
  mimeType: string
  size: number
  sha256: string
}

async function listObjectsByContent(
  sql: Sql,
  viewer: Viewer,
  contents: ContentKey[],
  lock: 'for key share' | 'none',
) {
  // Keeps a purge from removing the objects before the new records own them.
  const lockClause = lock === 'none' ? sql`` : sql`for key share of o`
  return sql<(ContentKey & { key: string })[]>`
    select w.sha256, w.mime_type as "mimeType", w.size, match.key
    from unnest(${contents.map((w) => w.sha256)}::text[], ${contents.map((w) => w.mimeType)}::text[],
      ${contents.map((w) => w.size)}::bigint[]) w (sha256, mime_type, size)
    cross join lateral (
      select o.key from files f
      join objects o on o.org_id = f.org_id and o.key = f.object_key
      join folders d on d.org_id = f.org_id and d.id = f.parent_id
      where f.org_id = ${viewer.orgId} and f.sha256 = decode(w.sha256, 'hex') and f.status = 'ready'
        and f.mime_type = w.mime_type and f.size = w.size and ${isFolderVisible(sql, viewer, sql`d.project_id`)}
      limit 1 ${lockClause}
    ) match`
}

interface NamedFolder {
  parentId: string
  name: string
}

async function listFoldersNamed(sql: Sql, orgId: string, folders: NamedFolder[]) {
  return sql<(NamedFolder & { id: string })[]>`
    select f.id, f.parent_id as "parentId", f.name
    from unnest(${folders.map((f) => f.parentId)}::uuid[], ${folders.map((f) => f.name)}::text[],
      ${folders.map((f) => toSortKey(f.name))}::text[]) w (parent_id, name, sort_key)
    join files f on f.org_id = ${orgId} and f.parent_id = w.parent_id and f.rank = 0 and f.sort_key = w.sort_key
      and f.name = w.name and f.deleted_at is null and f.status = 'ready' and not f.protected
    order by f.id`
}

interface Creation {
  createdBy: string
  now: Date
}

async function insertFolders(
  sql: Sql,
  orgId: string,
  folders: (NamedFolder & { id: string })[],
  by: Creation,
): Promise<void> {
  await sql`
    insert into folders (org_id, id, parent_id, path, project_id)
    select ${orgId}, made.id, made.parent_id, p.path || made.id, p.project_id
    from unnest(${folders.map((f) => f.id)}::uuid[], ${folders.map((f) => f.parentId)}::uuid[]) made (id, parent_id)
    join folders p on p.org_id = ${orgId} and p.id = made.parent_id`
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, created_by, created_at,
      updated_at)
    select ${orgId}, made.id, made.parent_id, 'folder', made.name, made.sort_key, made.search_key, ${FOLDER_TYPE},
      ${by.createdBy}, ${by.now}, ${by.now}
    from unnest(${folders.map((f) => f.id)}::uuid[], ${folders.map((f) => f.parentId)}::uuid[],
      ${folders.map((f) => f.name)}::text[], ${folders.map((f) => toSortKey(f.name))}::text[],
      ${folders.map((f) => toSearchKey(f.name))}::text[]) made (id, parent_id, name, sort_key, search_key)`
}

interface NewRecord extends NamedFolder, ContentKey {
  id: string
  key: string
}

async function insertUploads(sql: Sql, orgId: string, files: NewRecord[], by: Creation): Promise<void> {
  const column = (of: (file: NewRecord) => string | number) => files.map(of)
  await sql`
    insert into files (org_id, id, parent_id, source, name, sort_key, search_key, mime_type, size, object_key, sha256,
      created_by, created_at, updated_at)
    select ${orgId}, made.id, made.parent_id, 'upload', made.name, made.sort_key, made.search_key, made.mime_type, made.size,
      made.key, decode(made.sha256, 'hex'), ${by.createdBy}, ${by.now}, ${by.now}
    from unnest(${column((f) => f.id)}::uuid[], ${column((f) => f.parentId)}::uuid[], ${column((f) => f.name)}::text[],
      ${column((f) => toSortKey(f.name))}::text[], ${column((f) => toSearchKey(f.name))}::text[],
      ${column((f) => f.mimeType)}::text[], ${column((f) => f.size)}::bigint[], ${column((f) => f.key)}::text[],
      ${column((f) => f.sha256)}::text[])
      made (id, parent_id, name, sort_key, search_key, mime_type, size, key, sha256)`
}
