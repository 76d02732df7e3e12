import { segmentOf } from '../../../../../contract/projects/manifest-paths.ts'
import type { Context } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { checkDepth, resolveDestination } from '../tree/destination.ts'
import { lockTree } from '../tree/folder-queries.ts'
import * as queries from './deduplicate-queries.ts'

/** A file of a manifest; the path is relative to the folder of the project and includes the name. */
export interface FileContent extends queries.ContentKey {
  path: string
  name: string
}

/** The files whose content exists in a file that the caller sees, so that `createFromExisting` can create them. */
export async function listExistingContent<F extends queries.ContentKey>(
  ctx: Context,
  files: F[],
): Promise<F[]> {
  const existing = await keysOf(ctx, files, 'none')
  return files.filter((file) => existing.has(contentIdOf(file)))
}

/**
 * Creates records in the folder of a project, with missing folders on their paths, that share the objects of files which
 * the caller sees, trashed ones included. Returns the id of each, or null if its content does not exist. Takes a few
 * statements per folder level for any number of files, because the lock keeps the tree unchanged.
 */
export async function createFromExisting(
  ctx: Context,
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
      id: newId(),
      parentId: folders.get(pathOf(steps[index]!))!,
      key: keys.get(contentIdOf(file))!,
    }))
    const storage = records.reduce((sum, { size }) => sum + size, 0)
    await ctx.quotas.reserve(inside.sql, orgId, { files: records.length, storage })
    await queries.insertUploads(inside.sql, orgId, records, { createdBy: userId, now: ctx.now() })
    const ids = records.map(({ id }) => id).values()
    return files.map((file) => (keys.has(contentIdOf(file)) ? ids.next().value! : null))
  })
}

const contentIdOf = ({ sha256, mimeType, size }: queries.ContentKey) => `${sha256} ${size} ${mimeType}`
const depthOf = (paths: string[][]) => paths.reduce((max, { length }) => Math.max(max, length), 0)
const pathOf = (steps: string[]) => steps.join('/')
const foldersOf = ({ path, name }: FileContent) =>
  path.slice(0, -segmentOf(name).length).split('/').filter(Boolean)

async function keysOf({ sql, caller }: Context, files: queries.ContentKey[], lock: 'for key share' | 'none') {
  const distinct = [...new Map(files.map((file) => [contentIdOf(file), file])).values()]
  const existing = await queries.listObjectsByContent(sql, caller, distinct, lock)
  return new Map(existing.map((file) => [contentIdOf(file), file.key]))
}

/** Finds or creates all folders on these paths, level by level. Returns their ids by path. */
async function ensureFolders(ctx: Context, rootId: string, paths: string[][]): Promise<Map<string, string>> {
  const ids = new Map([['', rootId]])
  const depth = depthOf(paths)
  for (let level = 1; level <= depth; level++) {
    const required = new Map<string, queries.NamedFolder>()
    for (const steps of paths.filter(({ length }) => length >= level)) {
      const parentId = ids.get(pathOf(steps.slice(0, level - 1)))!
      required.set(pathOf(steps.slice(0, level)), { parentId, name: steps[level - 1]! })
    }
    await ensureLevel(ctx, required, ids)
  }
  return ids
}

async function ensureLevel(
  { sql, caller, now, quotas }: Context,
  required: Map<string, queries.NamedFolder>,
  ids: Map<string, string>,
): Promise<void> {
  const found = await queries.listFoldersNamed(sql, caller.orgId, [...required.values()])
  const keyOf = ({ parentId, name }: queries.NamedFolder) => `${parentId}/${name}`
  const oldest = new Map(found.toReversed().map((folder) => [keyOf(folder), folder.id]))
  const missing: (queries.NamedFolder & { id: string })[] = []
  for (const [path, folder] of required) {
    const id = oldest.get(keyOf(folder)) ?? newId()
    ids.set(path, id)
    if (!oldest.has(keyOf(folder))) missing.push({ ...folder, id })
  }
  if (missing.length === 0) return
  await quotas.reserve(sql, caller.orgId, { files: missing.length })
  await queries.insertFolders(sql, caller.orgId, missing, { createdBy: caller.userId, now: now() })
}
