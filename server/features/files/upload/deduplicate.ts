import { stepOf } from '../../../../contract/projects/manifest-paths.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../security/ids.ts'
import { checkDepth, resolveDestination } from '../tree/destination.ts'
import { lockTree } from '../tree/folder-queries.ts'
import * as queries from './deduplicate-queries.ts'

/** A file as a manifest names it; the path is from the folder of the project, with its name. */
export interface FileContent extends queries.ContentKey {
  path: string
  name: string
}

/** Those of these whose bytes this caller has, of that type and size: for which `addOnKnownBytes` would find some. */
export async function listExistingContent<F extends queries.ContentKey>(
  ctx: Context,
  files: F[],
): Promise<F[]> {
  const known = await keysOf(ctx, files, 'look')
  return files.filter((file) => known.has(nameOf(file)))
}

/**
 * New records in the folder of a project, the folders on their paths made where they are missing, on the bytes of files
 * that this caller may see, be it in the trash. Returns the id of each, or null where there are no such bytes. However
 * many they are, it is a few statements for each level of folders, since the tree stands still meanwhile.
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
    const top = await resolveDestination(inside, { projectId })
    const keys = await keysOf(inside, files, 'lock')
    const known = files.filter((file) => keys.has(nameOf(file)))
    const steps = known.map(stepsTo)
    checkDepth(top, deepestOf(steps))
    const folders = await makeFolders(inside, top.id, steps)
    const records = known.map((file, index) => ({
      ...file,
      id: newId(),
      parentId: folders.get(pathOf(steps[index]!))!,
      key: keys.get(nameOf(file))!,
    }))
    await queries.insertUploads(inside.sql, orgId, records, { createdBy: userId, now: ctx.now() })
    const ids = records.map(({ id }) => id).values()
    return files.map((file) => (keys.has(nameOf(file)) ? ids.next().value! : null))
  })
}

const nameOf = ({ sha256, mimeType, size }: queries.ContentKey) => `${sha256} ${size} ${mimeType}`
const deepestOf = (ways: string[][]) => ways.reduce((most, { length }) => Math.max(most, length), 0)
const pathOf = (steps: string[]) => steps.join('/')
const stepsTo = ({ path, name }: FileContent) =>
  path.slice(0, -stepOf(name).length).split('/').filter(Boolean)

async function keysOf({ sql, caller }: Context, files: queries.ContentKey[], lock: 'lock' | 'look') {
  const wanted = [...new Map(files.map((file) => [nameOf(file), file])).values()]
  const known = await queries.listObjectsByContent(sql, caller, wanted, lock)
  return new Map(known.map((file) => [nameOf(file), file.key]))
}

/** All folders on these ways, found by their names or made, level by level. Returns their ids by their paths. */
async function makeFolders(ctx: Context, topId: string, ways: string[][]): Promise<Map<string, string>> {
  const ids = new Map([['', topId]])
  const deepest = deepestOf(ways)
  for (let level = 1; level <= deepest; level++) {
    const wanted = new Map<string, queries.NamedFolder>()
    for (const steps of ways.filter(({ length }) => length >= level)) {
      const parentId = ids.get(pathOf(steps.slice(0, level - 1)))!
      wanted.set(pathOf(steps.slice(0, level)), { parentId, name: steps[level - 1]! })
    }
    await makeLevel(ctx, wanted, ids)
  }
  return ids
}

async function makeLevel(
  { sql, caller, now }: Context,
  wanted: Map<string, queries.NamedFolder>,
  ids: Map<string, string>,
): Promise<void> {
  const found = await queries.listFoldersNamed(sql, caller.orgId, [...wanted.values()])
  const keyOf = ({ parentId, name }: queries.NamedFolder) => `${parentId}/${name}`
  const oldest = new Map(found.toReversed().map((folder) => [keyOf(folder), folder.id]))
  const missing: (queries.NamedFolder & { id: string })[] = []
  for (const [path, folder] of wanted) {
    const id = oldest.get(keyOf(folder)) ?? newId()
    ids.set(path, id)
    if (!oldest.has(keyOf(folder))) missing.push({ ...folder, id })
  }
  if (missing.length === 0) return
  await queries.insertFolders(sql, caller.orgId, missing, { createdBy: caller.userId, now: now() })
}
