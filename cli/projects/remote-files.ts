import { FOLDER_DEPTH_MAX } from '../../contract/files/files.ts'
import { encodePath, stepOf } from '../../contract/projects/manifest-paths.ts'
import type { Connection } from '../connect.ts'
import { Failure } from '../failure.ts'
import { foldersNamed } from '../files/find.ts'
import { type Item, isFolder, listFolder, makeFolder } from '../files/records.ts'
import type { ManifestFile } from './backup.ts'

/** The records behind the files of a manifest, which names them by path and content alone. */
export async function recordsOf(connection: Connection, folderId: string): Promise<Records> {
  const found = new Map<string, Item[]>()
  await walk(connection, folderId, '', (path, item) => {
    const key = keyOf({ path: encodePath(path), sha256: item.sha256 ?? '' })
    found.set(key, [...(found.get(key) ?? []), item])
  })
  return { take: (file) => found.get(keyOf(file))?.shift() }
}

interface Records {
  /** Each record once, since several files may agree in path and content. */
  take: (file: ManifestFile) => Item | undefined
}

const keyOf = ({ path, sha256 }: Pick<ManifestFile, 'path' | 'sha256'>) => `${path}\n${sha256}`

async function walk(
  connection: Connection,
  folderId: string,
  above: string,
  meet: (path: string, item: Item) => void,
  depth = 1,
): Promise<void> {
  if (depth > FOLDER_DEPTH_MAX) throw new Failure('failed', 'Folders are nested deeper than can be')
  for await (const item of listFolder(connection, folderId)) {
    const path = above + stepOf(item.name)
    if (isFolder(item)) await walk(connection, item.id, `${path}/`, meet, depth + 1)
    else meet(path, item)
  }
}

/** Finds folders by their way from the folder of a project, and makes what is missing, each once. */
export function createFolders(connection: Connection, projectFolderId: string) {
  const known = new Map<string, Promise<string>>([['', Promise.resolve(projectFolderId)]])
  const folderOf = (names: string[]): Promise<string> => {
    const way = names.map(stepOf).join('/')
    const found = known.get(way) ?? make(names)
    known.set(way, found)
    return found
  }
  const make = async (names: string[]): Promise<string> => {
    const parentId = await folderOf(names.slice(0, -1))
    const name = names.at(-1)!
    const [there] = await foldersNamed(connection, parentId, name)
    return (there ?? (await makeFolder(connection, name, parentId))).id
  }
  return folderOf
}
