import type { Surroundings } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { find, findFolder } from '../../files/find.ts'
import { type Item, isFolder, listAll, listFolder } from '../../files/records.ts'
import { isRoot, parsePath } from '../../files/remote-path.ts'
import { formatBytes } from '../../files/sizes.ts'
import { plain, printData, printTable, tell } from '../../terminal.ts'

interface ListOptions {
  server?: string
  json?: boolean
  long?: boolean
}

/** A folder's contents, folders first; or a single file. */
export async function listFiles(remote = '/', options: ListOptions, around: Surroundings): Promise<void> {
  const connection = await connect(options.server, around)
  const found = isRoot(parsePath(remote)) ? null : await find(connection, remote)
  const items =
    found && !isFolder(found.item) ? [found.item] : await all(listFolder(connection, found?.item.id ?? null))
  show(items, options, 'The folder is empty')
}

/** By a part of the name, in a folder and everything below it. */
export async function searchFiles(
  text: string,
  remote = '/',
  options: ListOptions,
  around: Surroundings,
): Promise<void> {
  const connection = await connect(options.server, around)
  const { id } = await findFolder(connection, parsePath(remote))
  const items = await all(listAll(connection, { search: text, ...(id ? { parentId: id } : {}) }))
  show(items, { ...options, long: true }, 'Nothing is called like that')
}

/** What can be restored, the newest first. */
export async function listTrash(options: ListOptions, around: Surroundings): Promise<void> {
  const items = await trashed(await connect(options.server, around))
  if (options.json) return printData({ items })
  if (items.length === 0) return tell('The trash is empty')
  const row = (item: Item) => [
    item.id,
    nameOf(item),
    sizeOf(item),
    item.deletedAt ? minute(item.deletedAt) : '',
  ]
  printTable([['ID', 'NAME', 'SIZE', 'DELETED'], ...items.map(row)])
}

export const trashed = (connection: Connection): Promise<Item[]> =>
  all(listAll(connection, { trashed: 'true' }))

function show(items: Item[], { json, long }: ListOptions, empty: string): void {
  const row = (item: Item) => [
    ...(long ? [item.id] : []),
    nameOf(item),
    sizeOf(item),
    minute(item.updatedAt),
    kindOf(item),
    ...(long ? [plain(item.tags.join(', '))] : []),
  ]
  const head = [...(long ? ['ID'] : []), 'NAME', 'SIZE', 'MODIFIED', 'KIND', ...(long ? ['TAGS'] : [])]
  if (json) printData({ items })
  else if (items.length === 0) tell(empty)
  else printTable([head, ...items.map(row)])
}

const all = (items: AsyncIterable<Item>): Promise<Item[]> => Array.fromAsync(items)
const nameOf = (item: Item) => plain(item.name) + (isFolder(item) ? '/' : '')
const sizeOf = (item: Item) => (isFolder(item) ? '' : formatBytes(item.size))
/** In UTC, as everything that is compared between machines. */
const minute = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)}Z`

function kindOf(item: Item): string {
  if (isFolder(item)) return 'folder'
  if (item.source === 'link') return item.targetMissing ? 'link to nothing' : 'link'
  return plain(item.mimeType)
}
