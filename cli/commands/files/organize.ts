import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, sanitize } from '../../terminal.ts'
import {
  type Folder,
  find,
  findByPath,
  findFolder,
  formatPath,
  isRoot,
  join,
  listFoldersNamed,
  parsePath,
  readRecordPath,
  requireUnique,
} from './find.ts'
import { type Item, isFolder, listFolder, makeFolder, updateRecord } from './records.ts'

interface OrganizeOptions {
  server?: string
  json?: boolean
}

/** `parents` also creates missing parents and accepts existing folders. */
export async function makeFolders(
  paths: string[],
  options: OrganizeOptions & { parents?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const items: (Item & { path: string })[] = []
  for (const text of paths) {
    const path = parsePath(text)
    if (path.names.length === 0) throw new Failure('usage', `${text} has no folder name`)
    const item = options.parents ? await makeWithParents(connection, text) : await makeOne(connection, text)
    items.push({ ...item, path: formatPath(path) })
  }
  if (options.json) return printData({ items })
  for (const { id, path } of items) print(`${id}  ${sanitize(path)}`)
}

export async function moveFile(
  from: string,
  to: string,
  options: OrganizeOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { item } = await find(connection, from)
  const { folder, name } = await resolveDestination(connection, to, item.name)
  const input = { id: item.id, ...(name === item.name ? {} : { name }), parentId: folder.id }
  const moved = await updateRecord(connection, input)
  const path = await readRecordPath(connection, moved.id)
  if (options.json) return printData({ ...moved, path })
  print(`${moved.id}  ${sanitize(path)}`)
}

export async function tagFile(
  remote: string,
  tags: string[],
  options: OrganizeOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { item } = await find(connection, remote)
  const tagged = await updateRecord(connection, { id: item.id, tags })
  if (options.json) return printData(tagged)
  print(`${tagged.id}  ${sanitize(tagged.name)}  ${sanitize(tagged.tags.join(', ') || 'no tags')}`)
}

async function makeOne(connection: Connection, text: string): Promise<Item> {
  const { id, names } = parsePath(text)
  const name = names.at(-1)!
  const parent = await findFolder(connection, { id, names: names.slice(0, -1) })
  for await (const item of listFolder(connection, parent.id))
    if (item.name === name) throw alreadyExists(join(parent.path, name), item)
  return makeFolder(connection, name, parent.id)
}

async function makeWithParents(connection: Connection, text: string): Promise<Item> {
  const { id, names } = parsePath(text)
  let folder: Pick<Folder, 'id'> = await findFolder(connection, { id, names: [] })
  let item: Item | undefined
  for (const [index, name] of names.entries()) {
    const partialPath = formatPath({ id, names: names.slice(0, index + 1) })
    const existing = requireUnique(await listFoldersNamed(connection, folder.id, name), partialPath)?.item
    item = existing ?? (await makeFolder(connection, name, folder.id))
    folder = { id: item.id }
  }
  return item!
}

/** An existing folder is the destination; any other path is the new name. */
async function resolveDestination(
  connection: Connection,
  to: string,
  name: string,
): Promise<{ folder: Folder; name: string }> {
  const path = parsePath(to)
  if (isRoot(path) || to.endsWith('/')) return { folder: await findFolder(connection, path), name }
  const existing = await findByPath(connection, path)
  if (existing && isFolder(existing.item))
    return { folder: { id: existing.item.id, name: existing.item.name, path: existing.path }, name }
  if (existing) throw alreadyExists(existing.path, existing.item)
  const folder = await findFolder(connection, { id: path.id, names: path.names.slice(0, -1) })
  return { folder, name: path.names.at(-1)! }
}

const alreadyExists = (path: string, item: Item) =>
  new Failure(
    'failed',
    `${path} already exists and is a ${isFolder(item) ? 'folder' : 'file'}`,
    `It is id:${item.id}`,
  )
