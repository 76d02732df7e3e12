import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { find, findFolder, isRoot, parsePath } from './find.ts'
import { type Item, isFolder, listAll, listFolder } from './records.ts'
import { formatBytes } from './sizes.ts'

interface ListOptions {
  server?: string
  json?: boolean
  long?: boolean
}

/** Folders first. */
export async function listFiles(
  remote = '/',
  options: ListOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const found = isRoot(parsePath(remote)) ? null : await find(connection, remote)
  const items =
    found && !isFolder(found.item)
      ? [found.item]
      : await collect(listFolder(connection, found?.item.id ?? null))
  show(items, options, 'The folder is empty')
}

export async function searchFiles(
  text: string,
  remote = '/',
  options: ListOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { id } = await findFolder(connection, parsePath(remote))
  const items = await collect(listAll(connection, { search: text, ...(id ? { parentId: id } : {}) }))
  show(items, { ...options, long: true }, 'No files match')
}

export async function listTrash(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const items = await listTrashed(await connect(options.server, environment))
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('The trash is empty')
  const row = (item: Item) => [
    item.id,
    nameOf(item),
    sizeOf(item),
    item.deletedAt ? formatMinute(item.deletedAt) : '',
  ]
  printTable([['ID', 'NAME', 'SIZE', 'DELETED'], ...items.map(row)])
}

export const listTrashed = (connection: Connection): Promise<Item[]> =>
  collect(listAll(connection, { trashed: 'true' }))

function show(items: Item[], { json, long }: ListOptions, empty: string): void {
  const row = (item: Item) => [
    ...(long ? [item.id] : []),
    nameOf(item),
    sizeOf(item),
    formatMinute(item.updatedAt),
    kindOf(item),
    ...(long ? [sanitize(item.tags.join(', '))] : []),
  ]
  const header = [...(long ? ['ID'] : []), 'NAME', 'SIZE', 'MODIFIED', 'KIND', ...(long ? ['TAGS'] : [])]
  if (json) printData({ items })
  else if (items.length === 0) printMessage(empty)
  else printTable([header, ...items.map(row)])
}

const collect = (items: AsyncIterable<Item>): Promise<Item[]> => Array.fromAsync(items)
/** Quotes a name made up only of spaces, which would look like an empty column. */
const nameOf = (item: Item) =>
  (item.name.trim() === '' ? `"${sanitize(item.name)}"` : sanitize(item.name)) + (isFolder(item) ? '/' : '')
const sizeOf = (item: Item) => (isFolder(item) ? '' : formatBytes(item.size))
/** In UTC, so output is comparable between machines. */
export const formatMinute = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)}Z`

function kindOf(item: Item): string {
  if (isFolder(item)) return 'folder'
  if (item.source === 'link') return item.targetMissing ? 'broken link' : 'link'
  return sanitize(item.mimeType)
}
