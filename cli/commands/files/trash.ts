import { files } from '../../../contract/files/files.ts'
import type { Surroundings } from '../../config.ts'
import { ask, type Connection, connect } from '../../connect.ts'
import { EXIT_CODES, explain, Failure } from '../../failure.ts'
import { type Found, find, findFolder, only, pathOf } from '../../files/find.ts'
import { type Item, isFolder, remove } from '../../files/records.ts'
import { formatPath, parsePath } from '../../files/remote-path.ts'
import { patiently } from '../../files/retry.ts'
import { plain, print, printData, style, tell } from '../../terminal.ts'
import { trashed } from './list.ts'

interface TrashOptions {
  server?: string
  json?: boolean
}

/** To the trash. All of them are looked up before the first goes, so that a slip in the last costs nothing. */
export async function removeFiles(
  paths: string[],
  options: TrashOptions & { recursive?: boolean },
  around: Surroundings,
): Promise<void> {
  const connection = await connect(options.server, around)
  const found: Found[] = []
  for (const text of paths) found.push(await find(connection, text))
  const folder = found.find(({ item }) => isFolder(item))
  if (folder && !options.recursive)
    throw new Failure(
      'usage',
      `${folder.path} is a folder`,
      '-r takes it to the trash with everything in it.',
    )

  const items: { id: string; path: string; deleted: boolean; error?: string }[] = []
  for (const { item, path } of found) {
    const failure = await remove(connection, item.id).then(
      () => null,
      (error: unknown) => explain(error, connection.server),
    )
    if (failure && failure.kind !== 'failed' && found.length === 1) throw failure
    items.push({ id: item.id, path, deleted: !failure, ...(failure ? { error: failure.message } : {}) })
    if (options.json) continue
    if (failure) tell(`${style('red', 'failed')}  ${plain(path)}  (${plain(failure.message)})`)
    else tell(`In the trash: ${plain(path)}  (atrium files restore ${item.id})`)
  }
  if (options.json) printData({ items })
  if (items.some(({ deleted }) => !deleted)) process.exitCode = EXIT_CODES.failed
}

/** Back to where it was, or to another folder. */
export async function restoreFile(
  which: string,
  options: TrashOptions & { to?: string },
  around: Surroundings,
): Promise<void> {
  const connection = await connect(options.server, around)
  const { server, client } = connection
  const id = await findTrashed(connection, which)
  const parentId =
    options.to === undefined ? undefined : (await findFolder(connection, parsePath(options.to))).id
  const input = { id, ...(parentId === undefined ? {} : { parentId }) }
  const restored = await ask(
    server,
    files.restore,
    patiently(() => client.files.restore(input)),
  )
  const path = await pathOf(connection, restored.id)
  if (options.json) return printData({ ...restored, path })
  print(`${restored.id}  ${plain(path)}`)
}

/** An id, a name, or the path it had in a folder that is still there. */
async function findTrashed(connection: Connection, which: string): Promise<string> {
  const path = parsePath(which)
  const name = path.names.at(-1)
  if (name === undefined) {
    if (path.id) return path.id
    throw new Failure('usage', 'The root cannot be in the trash')
  }
  const isBare = path.id === null && path.names.length === 1 && !which.startsWith('/')
  const named = (await trashed(connection)).filter((item) => item.name === name)
  const within = isBare
    ? named
    : await deletedFrom(connection, named, { id: path.id, names: path.names.slice(0, -1) })
  const found = only(within, formatPath(path))
  if (!found)
    throw new Failure(
      'failed',
      `${which} is not in the trash`,
      '`atrium files trash` shows what is, with the ids.',
    )
  return found.item.id
}

/** Of nothing that could be restored it need not be known where it was. */
async function deletedFrom(connection: Connection, items: Item[], folder: Parameters<typeof findFolder>[1]) {
  if (items.length === 0) return []
  const { id } = await findFolder(connection, folder)
  return items.filter(({ parentId }) => parentId === id)
}
