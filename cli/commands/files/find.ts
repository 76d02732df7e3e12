import type { Connection } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { type Item, isFolder, listAll, listFolder, readRecord } from './records.ts'

const IDS_SHOWN_MAX = 8

export interface FoundItem {
  item: Item
  /** As the user wrote it. */
  path: string
}

/** The root has no record and a null id. */
export interface Folder {
  id: string | null
  name: string
  path: string
}

const ROOT: Folder = { id: null, name: '', path: '/' }

/** Matches exact names. Null if the last one doesn't exist. */
export async function findByPath(connection: Connection, path: RemotePath): Promise<FoundItem | null> {
  const [names, last] = [path.names.slice(0, -1), path.names.at(-1)]
  if (last === undefined)
    return path.id ? { item: await readRecord(connection, path.id), path: formatPath(path) } : null
  const parent = await findFolder(connection, { id: path.id, names })
  return requireUnique(await filterByName(listFolder(connection, parent.id), last), formatPath(path))
}

export async function find(connection: Connection, text: string): Promise<FoundItem> {
  const path = parsePath(text)
  if (isRoot(path)) throw new Failure('usage', 'The root folder isn’t a file')
  const found = await findByPath(connection, path)
  if (!found) throw notFound(formatPath(path))
  return found
}

/** Only folders match intermediate names, so a file with the same name doesn't interfere. */
export async function findFolder(connection: Connection, path: RemotePath): Promise<Folder> {
  let folder = path.id ? await readFolder(connection, path.id) : ROOT
  for (const [index, name] of path.names.entries()) {
    const partialPath = formatPath({ id: path.id, names: path.names.slice(0, index + 1) })
    const found = requireUnique(await listFoldersNamed(connection, folder.id, name), partialPath)
    if (!found) throw notFound(`Folder ${partialPath}`)
    folder = { id: found.item.id, name, path: partialPath }
  }
  return folder
}

export const listFoldersNamed = (connection: Connection, parentId: string | null, name: string) =>
  filterByName(listAll(connection, { ...(parentId ? { parentId } : {}), source: 'folder' }), name)

/** Names may repeat. An ambiguous name is an error. */
export function requireUnique(items: Item[], path: string): FoundItem | null {
  if (items.length <= 1) return items[0] ? { item: items[0], path } : null
  const ids = items.slice(0, IDS_SHOWN_MAX).map(({ id }) => `id:${id}`)
  const more = items.length > ids.length ? `, and ${items.length - ids.length} more` : ''
  throw new Failure(
    'usage',
    `${items.length} items are named ${path}: use an id`,
    `Ids: ${ids.join(', ')}${more}`,
  )
}

export async function readRecordPath(connection: Connection, id: string): Promise<string> {
  const { ancestors, name } = await readRecord(connection, id)
  return [...ancestors.map((ancestor) => ancestor.name), name].reduce(join, '/')
}

async function readFolder(connection: Connection, id: string): Promise<Folder> {
  const item = await readRecord(connection, id)
  if (!isFolder(item)) throw new Failure('failed', `${item.name} is not a folder`)
  return { id, name: item.name, path: `id:${id}` }
}

async function filterByName(items: AsyncIterable<Item>, name: string): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) if (item.name === name) found.push(item)
  return found
}

const notFound = (path: string) =>
  new Failure('failed', `${path} not found`, 'Run `npx atrium files ls` to list files.')

interface RemotePath {
  /** Null is the organization's root. */
  id: string | null
  names: string[]
}

const ID = /^(?:id:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/i

/**
 * Accepts `/Reports/q1.pdf`, or an id optionally followed by names. Names are literal, even `..`. A file with a slash
 * in its name is reachable only by id.
 */
export function parsePath(text: string): RemotePath {
  const id = ID.exec(text)?.[1]
  if (!id && text.startsWith('id:'))
    throw new Failure('usage', `${text} is not an id`, 'Example: id:0199c0de-0000-7000-8000-000000000000')
  const rest = id ? text.slice(ID.exec(text)![0].length) : text
  return { id: id?.toLowerCase() ?? null, names: rest.split('/').filter((name) => name !== '') }
}

export const isExplicit = (text: string): boolean => text.startsWith('/') || ID.test(text)

export const isRoot = ({ id, names }: RemotePath): boolean => id === null && names.length === 0

export function formatPath({ id, names }: RemotePath): string {
  return id ? [`id:${id}`, ...names].join('/') : `/${names.join('/')}`
}

export const join = (folder: string, name: string): string =>
  folder.endsWith('/') ? folder + name : `${folder}/${name}`
