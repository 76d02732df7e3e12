import { lstat, mkdir, stat } from 'node:fs/promises'
import { join as joinLocal, resolve, sep } from 'node:path'
import { FOLDER_DEPTH_MAX } from '../../../contract/files/files.ts'
import type { Surroundings } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { download } from '../../files/download.ts'
import { find, findFolder } from '../../files/find.ts'
import { hashFile } from '../../files/hash.ts'
import { makeLocalFolder } from '../../files/local-folder.ts'
import { createNamer, localName } from '../../files/local-name.ts'
import { type Item, isFolder, listFolder } from '../../files/records.ts'
import { isRoot, join, parsePath } from '../../files/remote-path.ts'
import { createJournal, type Task } from '../../files/transfer-queue.ts'

interface GetOptions {
  server?: string
  json?: boolean
  parallel: number
  force?: boolean
}

type Journal = ReturnType<typeof createJournal>

/** Fetches a file or a folder; what is here already, by hash, is not fetched again. */
export async function get(
  remote: string,
  local: string | undefined,
  options: GetOptions,
  around: Surroundings,
): Promise<void> {
  const connection = await connect(options.server, around)
  const path = parsePath(remote)
  const found = isRoot(path) ? null : await find(connection, remote)
  const { json, parallel, force = false } = options
  const journal = createJournal({ server: connection.server, json, parallel, verb: 'downloaded' })
  const tasks: Task[] = []
  const run: Run = { connection, journal, tasks, force }
  if (found && !isFolder(found.item)) {
    add(run, found.item, { path: found.path, local: await targetFor(found.item.name, local) })
  } else {
    const folder = await findFolder(connection, path)
    const target = found ? await targetFor(found.item.name, local) : resolve(local ?? '.')
    await mkdir(target, { recursive: true })
    await walk(run, folder.id, { path: folder.path, local: target }, 1)
  }
  await journal.run(tasks)
}

interface Run {
  connection: Connection
  journal: Journal
  tasks: Task[]
  force: boolean
}

interface Place {
  path: string
  local: string
}

/** Into a folder that is there, under its own name; otherwise to the very path that was given. */
async function targetFor(name: string, local: string | undefined): Promise<string> {
  const given = local ?? '.'
  const isInto = given.endsWith(sep) || given.endsWith('/') || (await isDirectory(given))
  return isInto ? joinLocal(resolve(given), localName(name)) : resolve(given)
}

const isDirectory = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Everything below a folder, so that the whole is known before it begins. */
async function walk(run: Run, id: string | null, place: Place, depth: number): Promise<void> {
  if (depth > FOLDER_DEPTH_MAX + 1) throw new Failure('failed', 'Folders are nested deeper than can be')
  const nameOf = createNamer()
  for await (const item of listFolder(run.connection, id)) {
    const inside = { path: join(place.path, item.name), local: joinLocal(place.local, nameOf(item.name)) }
    if (!isFolder(item)) {
      add(run, item, inside)
      continue
    }
    try {
      await makeLocalFolder(inside.local)
      await walk(run, item.id, inside, depth + 1)
    } catch (error) {
      run.journal.fail(inside, error)
    }
  }
}

function add({ connection, journal, tasks, force }: Run, item: Item, { path, local }: Place): void {
  const { id, size } = item
  journal.expect(1, size)
  tasks.push({
    path,
    local,
    size,
    async move(course) {
      if (item.targetMissing) throw new Failure('failed', 'It is a link, and what it points at is gone')
      if (await isHere(item, local, force)) return { status: 'skipped', id }
      await download(connection, item, local, { ...course, replace: force })
      return { id }
    },
  })
}

/** Whether the very same is here; whether something else may be replaced. */
async function isHere({ size, sha256 }: Item, local: string, force: boolean): Promise<boolean> {
  const found = await lstat(local).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!found) return false
  if (found.isFile() && found.size === size && sha256 !== null && (await hashFile(local)) === sha256)
    return true
  if (found.isDirectory()) throw new Failure('failed', `${local} is a folder`)
  if (!force) throw new Failure('failed', `${local} is there already and differs; --force replaces it`)
  return false
}
