import { lstat, mkdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { MANIFEST_FORMAT, projectExport } from '../../../../contract/projects/project-export.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, LONG_TIMEOUT_MS, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print } from '../../../terminal.ts'
import { download } from '../../files/download.ts'
import { localName, makeFoldersBelow, writeAtomically } from '../../files/local-files.ts'
import { createTransferQueue, type Task } from '../../files/transfer-queue.ts'
import {
  CANVAS_NAME,
  hasLocalCopy,
  hasValidChecksum,
  MANIFEST_NAME,
  type Manifest,
  planLocalPaths,
} from './backup.ts'
import { findProject, type Project } from './find.ts'
import { readRecords } from './remote-files.ts'

interface ExportOptions {
  server?: string
  json?: boolean
  parallel: number
  canvas?: boolean
  tables: boolean
  force?: boolean
}

/** Skips local files with the same hash. */
export async function exportProject(
  ref: string,
  parentFolder: string | undefined,
  options: ExportOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment, LONG_TIMEOUT_MS)
  const project = await findProject(connection, ref)
  const folder = join(resolve(parentFolder ?? '.'), localName(project.slug))
  const manifest = await readExport(connection, project, options)
  const localPaths = planLocalPaths(manifest, folder)
  await mkdir(folder, { recursive: true })
  const { server } = connection
  const { json, parallel, force = false } = options
  await writeDocument(join(folder, MANIFEST_NAME), manifest, force || isManifest)
  if (options.canvas)
    await writeDocument(
      join(folder, CANVAS_NAME),
      await readCanvas(connection, project, { manifest, folder, localPaths }),
      force,
    )
  const extraFields = { project: project.slug, folder, checksum: manifest.checksum.value }
  const queue = createTransferQueue({ server, json, parallel, verb: 'downloaded', extraFields })
  const tasks = await tasksFor(connection, project, { folder, localPaths, force })
  for (const { size } of tasks) queue.expect(1, size)
  await queue.run(tasks)
  if (!json) print(folder)
}

async function readExport(
  { server, client }: Connection,
  { id }: Project,
  { tables }: Pick<ExportOptions, 'tables'>,
): Promise<Manifest> {
  const query = { projectId: id, ...(!tables && { withoutTables: 'true' as const }) }
  const manifest = await parseResponse(server, projectExport.export, client.projectExport.export(query))
  if (!('format' in manifest) || !hasValidChecksum(manifest))
    throw new Failure('failed', 'The manifest is incomplete')
  return manifest
}

/** With local file paths, for other programs. */
async function readCanvas(
  { server, client }: Connection,
  { id }: Project,
  { manifest, folder, localPaths }: ExportFolder,
) {
  const query = { projectId: id, format: 'jsoncanvas' as const }
  const canvas = await parseResponse(server, projectExport.export, client.projectExport.export(query))
  if (!('nodes' in canvas)) throw new Failure('failed', 'The canvas is incomplete')
  const pathByFile = new Map(
    [...localPaths].map(([file, local]) => [file.id, toSlashes(relative(folder, local))]),
  )
  const pathByBlock = new Map(manifest.blocks.map((block) => [block.id, pathByFile.get(block.fileId ?? '')]))
  const nodes = canvas.nodes.map((node) => {
    const file = pathByBlock.get(String(node.id))
    return node.type === 'file' && file ? { ...node, file } : node
  })
  return { ...canvas, nodes }
}

interface ExportFolder {
  manifest: Manifest
  folder: string
  localPaths: LocalPaths
}

const toSlashes = (path: string) => path.split(sep).join('/')

/** Overwrites a file only with --force, or if it is an earlier export. */
async function writeDocument(path: string, value: object, replace: boolean | ((text: string) => boolean)) {
  const text = `${JSON.stringify(value, null, 2)}\n`
  const existing = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const canWrite =
    existing === null || existing === text || (typeof replace === 'function' ? replace(existing) : replace)
  if (!canWrite) throw new Failure('failed', `${path} already exists and differs; use --force to replace it`)
  await writeAtomically(path, Readable.from([Buffer.from(text)]), { replace: true })
}

const isManifest = (text: string) => text.includes(`"${MANIFEST_FORMAT}"`)

type LocalPaths = ReturnType<typeof planLocalPaths>

async function tasksFor(
  connection: Connection,
  { folderId }: Project,
  { folder, localPaths, force }: { folder: string; localPaths: LocalPaths; force: boolean },
): Promise<Task[]> {
  if (localPaths.size === 0 || folderId === null) return []
  const records = await readRecords(connection, folderId)
  return [...localPaths].map(([file, local]) => {
    const item = records.take(file)
    return {
      path: file.path,
      local,
      size: file.size,
      async run(transfer) {
        if (await hasLocalCopy(file, local)) return { status: 'skipped' }
        if (!item) throw new Failure('failed', 'The file was changed or moved during the export')
        if (!force && (await lstat(local).catch(() => null)))
          throw new Failure('failed', `${local} already exists and differs; use --force to replace it`)
        await makeFoldersBelow(folder, dirname(local))
        await download(connection, item, local, { ...transfer, replace: force })
        return { id: item.id }
      },
    }
  })
}
