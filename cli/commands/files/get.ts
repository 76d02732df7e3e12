import { lstat, mkdir, stat } from 'node:fs/promises'
import { join as joinLocal, resolve, sep } from 'node:path'
import { FOLDER_DEPTH_MAX } from '../../../contract/files/files.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { download } from './download.ts'
import { find, findFolder, isRoot, join, parsePath } from './find.ts'
import { hashFile } from './hash.ts'
import { createNamer, localName, makeLocalFolder } from './local-files.ts'
import { type Item, isFolder, listFolder } from './records.ts'
import { createTransferQueue, type Task } from './transfer-queue.ts'

interface GetOptions {
  server?: string
  json?: boolean
  parallel: number
  force?: boolean
}

type TransferQueue = ReturnType<typeof createTransferQueue>

/** Skips local files with the same hash. */
export async function get(
  remote: string,
  local: string | undefined,
  options: GetOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const path = parsePath(remote)
  const found = isRoot(path) ? null : await find(connection, remote)
  const { json, parallel, force = false } = options
  const queue = createTransferQueue({ server: connection.server, json, parallel, verb: 'downloaded' })
  const tasks: Task[] = []
  const context: DownloadContext = { connection, queue, tasks, force }
  if (found && !isFolder(found.item)) {
    add(context, found.item, { path: found.path, local: await targetFor(found.item.name, local) })
  } else {
    const folder = await findFolder(connection, path)
    const target = found ? folderTargetFor(found.item.name, local) : resolve(local ?? '.')
    await mkdir(target, { recursive: true })
    await listBelow(context, folder.id, { path: folder.path, local: target }, 1)
  }
  await queue.run(tasks)
}

interface DownloadContext {
  connection: Connection
  queue: TransferQueue
  tasks: Task[]
  force: boolean
}

interface Target {
  path: string
  local: string
}

/** Ends with a separator, `.` or `..`. */
const ENDS_IN_FOLDER = /(^|[/\\])\.{0,2}$/

/**
 * `out` is the local copy whether it exists or not, so a second run continues the first. `out/` is the folder to create
 * it in.
 */
function folderTargetFor(name: string, local = '.'): string {
  return ENDS_IN_FOLDER.test(local) ? joinLocal(resolve(local), localName(name)) : resolve(local)
}

/** An existing folder is the destination; any other path is the local name. */
async function targetFor(name: string, local: string | undefined): Promise<string> {
  const path = local ?? '.'
  const isFolderPath = path.endsWith(sep) || path.endsWith('/') || (await isDirectory(path))
  return isFolderPath ? joinLocal(resolve(path), localName(name)) : resolve(path)
}

const isDirectory = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Lists everything first, so the totals are known before the transfer starts. */
async function listBelow(
  context: DownloadContext,
  id: string | null,
  target: Target,
  depth: number,
): Promise<void> {
  if (depth > FOLDER_DEPTH_MAX + 1) throw new Failure('failed', 'Folders are nested too deeply')
  const nameOf = createNamer()
  for await (const item of listFolder(context.connection, id)) {
    const child = { path: join(target.path, item.name), local: joinLocal(target.local, nameOf(item.name)) }
    if (!isFolder(item)) {
      add(context, item, child)
      continue
    }
    try {
      await makeLocalFolder(child.local)
      await listBelow(context, item.id, child, depth + 1)
    } catch (error) {
      context.queue.fail(child, error)
    }
  }
}

function add(context: DownloadContext, item: Item, { path, local }: Target): void {
  const { connection, queue, tasks, force } = context
  const { id, size } = item
  queue.expect(1, size)
  tasks.push({
    path,
    local,
    size,
    async run(transfer) {
      if (item.targetMissing) throw new Failure('failed', 'The link target no longer exists')
      if (await hasIdentical(item, local, force)) return { status: 'skipped', id }
      await download(connection, item, local, { ...transfer, replace: force })
      return { id }
    },
  })
}

/** Throws if a different file exists and must not be replaced. */
async function hasIdentical({ size, sha256 }: Item, local: string, force: boolean): Promise<boolean> {
  const found = await lstat(local).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!found) return false
  if (found.isFile() && found.size === size && sha256 !== null && (await hashFile(local)) === sha256)
    return true
  if (found.isDirectory()) throw new Failure('failed', `${local} is a folder`)
  if (!force) throw new Failure('failed', `${local} already exists and differs; use --force to replace it`)
  return false
}
