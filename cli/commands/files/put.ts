import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { findFolder, isExplicit, join, parsePath, requireUnique } from './find.ts'
import { hashFile } from './hash.ts'
import { type Item, isFolder, listFolder, makeFolder } from './records.ts'
import { countLocalFiles, type LocalEntry, scanLocal } from './scan-local.ts'
import { createTransferQueue, type Task } from './transfer-queue.ts'
import { type LocalFile, upload, uploadVersion } from './upload.ts'

interface PutOptions {
  server?: string
  json?: boolean
  parallel: number
  follow?: boolean
  keep?: boolean
}

type TransferQueue = ReturnType<typeof createTransferQueue>

/**
 * Skips files with the same name and content. A changed file becomes a new version if exactly one uploaded file has its
 * name; with `keepBoth` or several, it becomes another file.
 */
export async function put(paths: string[], options: PutOptions, environment: CliEnvironment): Promise<void> {
  const { locals, remote } = splitPaths(paths)
  const connection = await connect(options.server, environment)
  const folder = await findFolder(connection, parsePath(remote))
  const entries = await Promise.all(locals.map((path) => scanLocal(path, options.follow ?? false)))
  rejectDuplicateNames(entries)
  const { server } = connection
  const { json, parallel } = options
  const queue = createTransferQueue({ server, json, parallel, verb: 'uploaded' })
  for (const local of entries) {
    const { files, bytes } = countLocalFiles(local)
    queue.expect(files, bytes)
  }
  const context: UploadContext = { connection, queue, keepBoth: options.keep ?? false }
  await queue.run(tasksFor(context, entries, folder, false))
}

interface UploadContext {
  connection: Connection
  queue: TransferQueue
  keepBoth: boolean
}

/** Files first. Creates each remote folder when its turn comes. */
async function* tasksFor(
  context: UploadContext,
  locals: LocalEntry[],
  folder: { id: string | null; path: string },
  isNew: boolean,
): AsyncGenerator<Task> {
  const { connection, queue, keepBoth } = context
  const existing = isNew ? new Map<string, Item[]>() : await listByName(connection, folder.id)
  for (const local of locals) {
    const path = join(folder.path, local.name)
    const sameName = existing.get(local.name) ?? []
    if (local.kind === 'file')
      yield taskFor(connection, local, { parentId: folder.id, path, sameName, keepBoth })
    else if (local.kind === 'skipped')
      queue.add({ path, local: local.path, status: 'skipped', size: 0, note: local.reason })
    else if (local.kind === 'unreadable') queue.fail({ path, local: local.path }, new Error(local.reason))
  }
  for (const local of locals) {
    if (local.kind !== 'folder') continue
    const path = join(folder.path, local.name)
    try {
      const child = await folderFor(connection, existing.get(local.name) ?? [], {
        name: local.name,
        path,
        parentId: folder.id,
      })
      yield* tasksFor(context, local.children, { id: child.id, path }, child.isNew)
    } catch (error) {
      queue.fail({ path, local: local.path }, error)
    }
  }
}

interface Destination {
  parentId: string | null
  path: string
  /** Remote items with this name. */
  sameName: Item[]
  keepBoth: boolean
}

const taskFor = (connection: Connection, file: LocalFile, destination: Destination): Task => ({
  path: destination.path,
  local: file.path,
  size: file.size,
  async run(transfer) {
    const { sameName, parentId, keepBoth } = destination
    if (sameName.some(isFolder)) throw new Failure('failed', 'A folder with this name exists')
    const duplicate = await findIdentical(file, sameName)
    if (duplicate) return { status: 'skipped', id: duplicate.id }
    const [previous, ...others] = sameName
    if (!previous || others.length > 0 || previous.source !== 'upload' || keepBoth)
      return { id: (await upload(connection, file, parentId, transfer)).id }
    const { id } = await uploadVersion(connection, file, previous.id, transfer)
    return { id, note: 'new version' }
  },
})

/** Hashes the local file only if a remote file has the same name and size. */
async function findIdentical({ path, size }: LocalFile, sameName: Item[]): Promise<Item | undefined> {
  const candidates = sameName.filter((item) => item.size === size && item.sha256 !== null)
  if (candidates.length === 0) return undefined
  const hash = await hashFile(path)
  return candidates.find(({ sha256 }) => sha256 === hash)
}

async function folderFor(
  connection: Connection,
  sameName: Item[],
  { name, path, parentId }: { name: string; path: string; parentId: string | null },
): Promise<{ id: string; isNew: boolean }> {
  const found = requireUnique(sameName.filter(isFolder), path)
  if (found) return { id: found.item.id, isNew: false }
  if (sameName.length > 0) throw new Failure('failed', 'A file with this name exists')
  return { id: (await makeFolder(connection, name, parentId)).id, isNew: true }
}

async function listByName(connection: Connection, folderId: string | null): Promise<Map<string, Item[]>> {
  const found = new Map<string, Item[]>()
  for await (const item of listFolder(connection, folderId))
    found.set(item.name, [...(found.get(item.name) ?? []), item])
  return found
}

/**
 * As with cp, the last argument is the destination, but it must be an explicit remote path: in `put *.txt` the last one
 * is a file.
 */
function splitPaths(paths: string[]): { locals: string[]; remote: string } {
  const last = paths.at(-1)!
  if (paths.length === 1) return { locals: paths, remote: '/' }
  if (!isExplicit(last))
    throw new Failure(
      'usage',
      `${last} is not a remote folder`,
      'The last argument must be the destination: /, /Reports or id:…',
    )
  return { locals: paths.slice(0, -1), remote: last }
}

function rejectDuplicateNames(entries: LocalEntry[]): void {
  const names = entries.map(({ name }) => name)
  const duplicate = names.find((name, index) => names.indexOf(name) < index)
  if (duplicate !== undefined)
    throw new Failure('usage', `Two arguments are named ${duplicate}: upload them separately`)
}
