import { FOLDER_DEPTH_MAX } from '../../../../contract/files/files.ts'
import { encodePath, toPathSegment } from '../../../../contract/projects/manifest-paths.ts'
import type { Connection } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { listFoldersNamed } from '../../files/find.ts'
import { type Item, isFolder, listFolder, makeFolder } from '../../files/records.ts'
import type { ManifestFile } from './backup.ts'

export async function readRecords(connection: Connection, folderId: string): Promise<Records> {
  const itemsByKey = new Map<string, Item[]>()
  await visitBelow(connection, folderId, '', (path, item) => {
    const key = keyOf({ path: encodePath(path), sha256: item.sha256 ?? '' })
    itemsByKey.set(key, [...(itemsByKey.get(key) ?? []), item])
  })
  return { take: (file) => itemsByKey.get(keyOf(file))?.shift() }
}

interface Records {
  /** Returns each record once, since several files may have the same path and hash. */
  take: (file: ManifestFile) => Item | undefined
}

const keyOf = ({ path, sha256 }: Pick<ManifestFile, 'path' | 'sha256'>) => `${path}\n${sha256}`

async function visitBelow(
  connection: Connection,
  folderId: string,
  parentPath: string,
  visit: (path: string, item: Item) => void,
  depth = 1,
): Promise<void> {
  if (depth > FOLDER_DEPTH_MAX) throw new Failure('failed', 'Folders are nested too deeply')
  for await (const item of listFolder(connection, folderId)) {
    const path = parentPath + toPathSegment(item.name)
    if (isFolder(item)) await visitBelow(connection, item.id, `${path}/`, visit, depth + 1)
    else visit(path, item)
  }
}

/** Each folder once. */
export function createFolderResolver(connection: Connection, projectFolderId: string) {
  const folders = new Map<string, Promise<string>>([['', Promise.resolve(projectFolderId)]])
  const resolveFolder = (names: string[]): Promise<string> => {
    const path = names.map(toPathSegment).join('/')
    const folderId = folders.get(path) ?? findOrCreate(names)
    folders.set(path, folderId)
    return folderId
  }
  const findOrCreate = async (names: string[]): Promise<string> => {
    const parentId = await resolveFolder(names.slice(0, -1))
    const name = names.at(-1)!
    const [existing] = await listFoldersNamed(connection, parentId, name)
    return (existing ?? (await makeFolder(connection, name, parentId))).id
  }
  return resolveFolder
}
