import { files } from '../../../contract/files/files.ts'
import { fileTrash } from '../../../contract/files/retention.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { EXIT_CODES, explain, Failure } from '../../failure.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../page.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'
import {
  type FoundItem,
  find,
  findFolder,
  formatPath,
  parsePath,
  readRecordPath,
  requireUnique,
} from './find.ts'
import { listTrashed } from './list.ts'
import { type Item, isFolder, removeRecord } from './records.ts'
import { withRetry } from './retry.ts'
import { formatBytes } from './sizes.ts'

interface TrashOptions {
  server?: string
  json?: boolean
}

/** Looks up all items first, so a mistyped path deletes nothing. */
export async function removeFiles(
  paths: string[],
  options: TrashOptions & { recursive?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const found: FoundItem[] = []
  for (const text of paths) found.push(await find(connection, text))
  const folder = found.find(({ item }) => isFolder(item))
  if (folder && !options.recursive)
    throw new Failure(
      'usage',
      `${folder.path} is a folder`,
      'Use -r to move it to the trash with its contents.',
    )

  const items: { id: string; path: string; deleted: boolean; error?: string }[] = []
  for (const { item, path } of found) {
    const failure = await removeRecord(connection, item.id).then(
      () => null,
      (error: unknown) => explain(error, connection.server),
    )
    if (failure && failure.kind !== 'failed' && found.length === 1) throw failure
    items.push({ id: item.id, path, deleted: !failure, ...(failure ? { error: failure.message } : {}) })
    if (options.json) continue
    if (failure) printMessage(`${style('red', 'failed')}  ${sanitize(path)}  (${sanitize(failure.message)})`)
    else printMessage(`Moved to trash: ${sanitize(path)}  (undo: npx atrium files restore ${item.id})`)
  }
  if (options.json) printData({ items })
  if (items.some(({ deleted }) => !deleted)) process.exitCode = EXIT_CODES.failed
}

export async function restoreFile(
  ref: string,
  options: TrashOptions & { to?: string },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await findTrashed(connection, ref)
  const parentId =
    options.to === undefined ? undefined : (await findFolder(connection, parsePath(options.to))).id
  const input = { id, ...(parentId === undefined ? {} : { parentId }) }
  const restored = await parseResponse(
    server,
    files.restore,
    withRetry(() => client.files.restore(input)),
  )
  const path = await readRecordPath(connection, restored.id)
  if (options.json) return printData({ ...restored, path })
  print(`${restored.id}  ${sanitize(path)}`)
}

/** Accepts an id, a name, or the former path in a folder that still exists. */
async function findTrashed(connection: Connection, ref: string): Promise<string> {
  const path = parsePath(ref)
  const name = path.names.at(-1)
  if (name === undefined) {
    if (path.id) return path.id
    throw new Failure('usage', 'The root folder can’t be in the trash')
  }
  const isNameOnly = path.id === null && path.names.length === 1 && !ref.startsWith('/')
  const sameName = (await listTrashed(connection)).filter((item) => item.name === name)
  const candidates = isNameOnly
    ? sameName
    : await filterByFolder(connection, sameName, { id: path.id, names: path.names.slice(0, -1) })
  const found = requireUnique(candidates, formatPath(path))
  if (!found)
    throw new Failure(
      'failed',
      `${ref} is not in the trash`,
      'Run `npx atrium files trash` to list the trash.',
    )
  return found.item.id
}

/** Looks up the folder only if an item has the name, so a missing item is reported first. */
async function filterByFolder(
  connection: Connection,
  items: Item[],
  folder: Parameters<typeof findFolder>[1],
) {
  if (items.length === 0) return []
  const { id } = await findFolder(connection, folder)
  return items.filter(({ parentId }) => parentId === id)
}

/** API keys can't delete permanently, so this opens the page that does. */
export async function emptyTrash(options: PageOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const read = () =>
    parseResponse(
      server,
      fileTrash.summary,
      withRetry(() => client.fileTrash.summary()),
    )
  const before = await read()
  const { entries, files, bytes } = before
  if (entries === 0)
    return options.json ? printData(before) : printMessage('The trash contains nothing you can delete')
  printMessage(`${count(entries, 'item')} with ${count(files, 'file')}, ${formatBytes(bytes)}`)
  const page = { path: 'files/trash?empty=1', action: 'Empty the trash', subject: 'permanent deletion' }
  const url = openPage(connection, page, options)
  if (!shouldWait(options)) return options.json ? printData({ ...before, url }) : undefined
  const after = await pollFor(url, async () => {
    const now = await read()
    return now.entries === 0 ? now : null
  })
  if (options.json) return printData(after)
  printMessage('The trash is empty')
}

const count = (value: number, noun: string) => `${value} ${noun}${value === 1 ? '' : 's'}`
