import type { Connection } from '../connect.ts'
import { Failure } from '../failure.ts'
import { type Item, isFolder, listAll, listFolder, readRecord } from './records.ts'
import { formatPath, isRoot, join, parsePath, type RemotePath } from './remote-path.ts'

const IDS_SHOWN_MAX = 8

export interface Found {
  item: Item
  /** As it was asked for, to speak of it. */
  path: string
}

/** A folder to look or put into; the root has no record, and the id null. */
export interface Folder {
  id: string | null
  name: string
  path: string
}

const ROOT: Folder = { id: null, name: '', path: '/' }

/** Walks a path by name, each the whole name exactly. Null where it ends in nothing. */
export async function look(connection: Connection, path: RemotePath): Promise<Found | null> {
  const [names, last] = [path.names.slice(0, -1), path.names.at(-1)]
  if (last === undefined)
    return path.id ? { item: await readRecord(connection, path.id), path: formatPath(path) } : null
  const parent = await findFolder(connection, { id: path.id, names })
  return only(await named(listFolder(connection, parent.id), last), formatPath(path))
}

export async function find(connection: Connection, text: string): Promise<Found> {
  const path = parsePath(text)
  if (isRoot(path)) throw new Failure('usage', 'The root is not a file')
  const found = await look(connection, path)
  if (!found) throw nothing(formatPath(path))
  return found
}

/** Only folders count on the way, so a file of the same name does not stand in it. */
export async function findFolder(connection: Connection, path: RemotePath): Promise<Folder> {
  let folder = path.id ? await folderOf(connection, path.id) : ROOT
  for (const [index, name] of path.names.entries()) {
    const walked = formatPath({ id: path.id, names: path.names.slice(0, index + 1) })
    const found = only(await foldersNamed(connection, folder.id, name), walked)
    if (!found) throw nothing(walked, 'folder ')
    folder = { id: found.item.id, name, path: walked }
  }
  return folder
}

export const foldersNamed = (connection: Connection, parentId: string | null, name: string) =>
  named(listAll(connection, { ...(parentId ? { parentId } : {}), source: 'folder' }), name)

/** Names may repeat: then nothing is guessed. */
export function only(items: Item[], path: string): Found | null {
  if (items.length <= 1) return items[0] ? { item: items[0], path } : null
  const ids = items.slice(0, IDS_SHOWN_MAX).map(({ id }) => `id:${id}`)
  const more = items.length > ids.length ? `, and ${items.length - ids.length} more` : ''
  throw new Failure(
    'usage',
    `${items.length} are called ${path}: name one by its id`,
    `They are ${ids.join(', ')}${more}`,
  )
}

/** Where a record is, in names. */
export async function pathOf(connection: Connection, id: string): Promise<string> {
  const { ancestors, name } = await readRecord(connection, id)
  return [...ancestors.map((ancestor) => ancestor.name), name].reduce(join, '/')
}

async function folderOf(connection: Connection, id: string): Promise<Folder> {
  const item = await readRecord(connection, id)
  if (!isFolder(item)) throw new Failure('failed', `${item.name} is not a folder`)
  return { id, name: item.name, path: `id:${id}` }
}

async function named(items: AsyncIterable<Item>, name: string): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) if (item.name === name) found.push(item)
  return found
}

const nothing = (path: string, kind = '') =>
  new Failure('failed', `There is no ${kind}${path}`, '`atrium files ls` shows what there is.')
