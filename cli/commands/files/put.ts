import type { Surroundings } from '../../config.ts'
import { type Connection, connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { findFolder, only } from '../../files/find.ts'
import { hashFile } from '../../files/hash.ts'
import { type Item, isFolder, listFolder, makeFolder, remove } from '../../files/records.ts'
import { isExplicit, join, parsePath } from '../../files/remote-path.ts'
import { countOf, type Local, survey } from '../../files/scan-local.ts'
import { createJournal, type Task } from '../../files/transfer-queue.ts'
import { type LocalFile, upload } from '../../files/upload.ts'

interface PutOptions {
  server?: string
  json?: boolean
  parallel: number
  follow?: boolean
  keep?: boolean
}

type Journal = ReturnType<typeof createJournal>

/** Sends files and folders; what is there already, by name and hash, is not sent again. */
export async function put(paths: string[], options: PutOptions, around: Surroundings): Promise<void> {
  const { locals, remote } = split(paths)
  const connection = await connect(options.server, around)
  const folder = await findFolder(connection, parsePath(remote))
  const found = await Promise.all(locals.map((path) => survey(path, options.follow ?? false)))
  refuseTwins(found)
  const { server } = connection
  const { json, parallel } = options
  const journal = createJournal({ server, json, parallel, verb: 'uploaded' })
  for (const local of found) {
    const { files, bytes } = countOf(local)
    journal.expect(files, bytes)
  }
  const run: Run = { connection, journal, keep: options.keep ?? false }
  await journal.run(tasksFor(run, found, folder, false))
}

interface Run {
  connection: Connection
  journal: Journal
  keep: boolean
}

/** Files first and then folder by folder, each made when it is its turn. */
async function* tasksFor(
  run: Run,
  locals: Local[],
  folder: { id: string | null; path: string },
  isNew: boolean,
): AsyncGenerator<Task> {
  const { connection, journal, keep } = run
  const there = isNew ? new Map<string, Item[]>() : await byName(connection, folder.id)
  for (const local of locals) {
    const path = join(folder.path, local.name)
    const same = there.get(local.name) ?? []
    if (local.kind === 'file') yield taskFor(connection, local, { parentId: folder.id, path, same, keep })
    else if (local.kind === 'left out')
      journal.add({ path, local: local.path, status: 'skipped', size: 0, note: local.reason })
    else if (local.kind === 'unreadable') journal.fail({ path, local: local.path }, new Error(local.reason))
  }
  for (const local of locals) {
    if (local.kind !== 'folder') continue
    const path = join(folder.path, local.name)
    try {
      const inside = await folderFor(connection, there.get(local.name) ?? [], {
        name: local.name,
        path,
        parentId: folder.id,
      })
      yield* tasksFor(run, local.children, { id: inside.id, path }, inside.isNew)
    } catch (error) {
      journal.fail({ path, local: local.path }, error)
    }
  }
}

interface Place {
  parentId: string | null
  path: string
  /** What has this name there. */
  same: Item[]
  keep: boolean
}

const taskFor = (connection: Connection, file: LocalFile, place: Place): Task => ({
  path: place.path,
  local: file.path,
  size: file.size,
  async move(course) {
    const { same, parentId, keep } = place
    if (same.some(isFolder)) throw new Failure('failed', 'There is a folder of that name')
    const twin = await twinOf(file, same)
    if (twin) return { status: 'skipped', id: twin.id }
    const { id } = await upload(connection, file, parentId, course)
    const [before, ...others] = same.filter(({ source }) => source === 'upload')
    if (!before || others.length > 0 || keep) return { id }
    await remove(connection, before.id)
    return { id, note: `replaces id:${before.id}, which is in the trash` }
  },
})

/** Read and hashed only where size and name agree already. */
async function twinOf({ path, size }: LocalFile, same: Item[]): Promise<Item | undefined> {
  const alike = same.filter((item) => item.size === size && item.sha256 !== null)
  if (alike.length === 0) return undefined
  const hash = await hashFile(path)
  return alike.find(({ sha256 }) => sha256 === hash)
}

async function folderFor(
  connection: Connection,
  same: Item[],
  { name, path, parentId }: { name: string; path: string; parentId: string | null },
): Promise<{ id: string; isNew: boolean }> {
  const found = only(same.filter(isFolder), path)
  if (found) return { id: found.item.id, isNew: false }
  if (same.length > 0) throw new Failure('failed', 'There is a file of that name, and not a folder')
  return { id: (await makeFolder(connection, name, parentId)).id, isNew: true }
}

async function byName(connection: Connection, folderId: string | null): Promise<Map<string, Item[]>> {
  const found = new Map<string, Item[]>()
  for await (const item of listFolder(connection, folderId))
    found.set(item.name, [...(found.get(item.name) ?? []), item])
  return found
}

/** As with cp, the last one says where to. It must look like it, so that `put *.txt` is no accident. */
function split(paths: string[]): { locals: string[]; remote: string } {
  const last = paths.at(-1)!
  if (paths.length === 1) return { locals: paths, remote: '/' }
  if (!isExplicit(last))
    throw new Failure(
      'usage',
      `${last} is not a remote folder`,
      'The last argument says where to: / or /Reports or id:…',
    )
  return { locals: paths.slice(0, -1), remote: last }
}

function refuseTwins(found: Local[]): void {
  const names = found.map(({ name }) => name)
  const twin = names.find((name, index) => names.indexOf(name) < index)
  if (twin !== undefined)
    throw new Failure('usage', `Two of them are called ${twin}: send them one after the other`)
}
