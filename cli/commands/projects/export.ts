import { lstat, mkdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { MANIFEST_FORMAT, projectExport } from '../../../contract/projects/project-export.ts'
import type { Surroundings } from '../../config.ts'
import { ask, type Connection, connect, LONG_TIMEOUT_MS } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { writeWhole } from '../../files/atomic-write.ts'
import { download } from '../../files/download.ts'
import { makeFoldersBelow } from '../../files/local-folder.ts'
import { localName } from '../../files/local-name.ts'
import { createJournal, type Task } from '../../files/transfer-queue.ts'
import {
  CANVAS_NAME,
  isHere,
  isWhole,
  MANIFEST_NAME,
  type Manifest,
  placesOf,
} from '../../projects/backup.ts'
import { findProject, type Project } from '../../projects/find.ts'
import { recordsOf } from '../../projects/remote-files.ts'
import { print } from '../../terminal.ts'

interface ExportOptions {
  server?: string
  json?: boolean
  parallel: number
  canvas?: boolean
  force?: boolean
}

/** Writes a project into a folder of its name: its manifest, and its files; what is here by hash is not fetched again. */
export async function exportProject(
  which: string,
  into: string | undefined,
  options: ExportOptions,
  around: Surroundings,
): Promise<void> {
  const connection = await connect(options.server, around, LONG_TIMEOUT_MS)
  const project = await findProject(connection, which)
  const folder = join(resolve(into ?? '.'), localName(project.slug))
  const manifest = await readExport(connection, project)
  const places = placesOf(manifest, folder)
  await mkdir(folder, { recursive: true })
  const { server } = connection
  const { json, parallel, force = false } = options
  await writeDocument(join(folder, MANIFEST_NAME), manifest, force || isManifest)
  if (options.canvas)
    await writeDocument(
      join(folder, CANVAS_NAME),
      await readCanvas(connection, project, { manifest, folder, places }),
      force,
    )
  const about = { project: project.slug, folder, checksum: manifest.checksum.value }
  const journal = createJournal({ server, json, parallel, verb: 'downloaded', about })
  const tasks = await tasksFor(connection, project, { folder, places, force })
  for (const { size } of tasks) journal.expect(1, size)
  await journal.run(tasks)
  if (!json) print(folder)
}

async function readExport({ server, client }: Connection, { id }: Project): Promise<Manifest> {
  const manifest = await ask(server, projectExport.export, client.projectExport.export({ projectId: id }))
  if (!('format' in manifest) || !isWhole(manifest))
    throw new Failure('failed', 'The manifest did not arrive whole')
  return manifest
}

/** With the files where they are here, so that other programs find them. */
async function readCanvas(
  { server, client }: Connection,
  { id }: Project,
  { manifest, folder, places }: Written,
) {
  const query = { projectId: id, format: 'jsoncanvas' as const }
  const canvas = await ask(server, projectExport.export, client.projectExport.export(query))
  if (!('nodes' in canvas)) throw new Failure('failed', 'The canvas did not arrive whole')
  const paths = new Map([...places].map(([file, local]) => [file.id, slashed(relative(folder, local))]))
  const shown = new Map(manifest.blocks.map((block) => [block.id, paths.get(block.fileId ?? '')]))
  const nodes = canvas.nodes.map((node) => {
    const file = shown.get(String(node.id))
    return node.type === 'file' && file ? { ...node, file } : node
  })
  return { ...canvas, nodes }
}

interface Written {
  manifest: Manifest
  folder: string
  places: Places
}

const slashed = (path: string) => path.split(sep).join('/')

/** Replaces what is there only if that is wished, or is seen to be an earlier one. */
async function writeDocument(path: string, value: object, replace: boolean | ((text: string) => boolean)) {
  const text = `${JSON.stringify(value, null, 2)}\n`
  const there = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const isFree =
    there === null || there === text || (typeof replace === 'function' ? replace(there) : replace)
  if (!isFree) throw new Failure('failed', `${path} is there already and differs; --force replaces it`)
  await writeWhole(path, Readable.from([Buffer.from(text)]), { replace: true })
}

const isManifest = (text: string) => text.includes(`"${MANIFEST_FORMAT}"`)

type Places = ReturnType<typeof placesOf>

async function tasksFor(
  connection: Connection,
  { folderId }: Project,
  { folder, places, force }: { folder: string; places: Places; force: boolean },
): Promise<Task[]> {
  if (places.size === 0 || folderId === null) return []
  const records = await recordsOf(connection, folderId)
  return [...places].map(([file, local]) => {
    const item = records.take(file)
    return {
      path: file.path,
      local,
      size: file.size,
      async move(course) {
        if (await isHere(file, local)) return { status: 'skipped' }
        if (!item) throw new Failure('failed', 'It was changed or moved while the export went on')
        if (!force && (await lstat(local).catch(() => null)))
          throw new Failure('failed', `${local} is there already and differs; --force replaces it`)
        await makeFoldersBelow(folder, dirname(local))
        await download(connection, item, local, { ...course, replace: force })
        return { id: item.id }
      },
    }
  })
}
