import { resolve } from 'node:path'
import { ApiFailure } from '../../../../client/client.ts'
import { counted } from '../../../../contract/counted.ts'
import { decodePath } from '../../../../contract/projects/manifest-paths.ts'
import { projectExport } from '../../../../contract/projects/project-export.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, LONG_TIMEOUT_MS, parseResponse } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import { canConfirm, confirm, print, printData, printMessage, sanitize } from '../../../terminal.ts'
import type { Outcome } from '../../files/display.ts'
import { createTransferQueue, type Task } from '../../files/transfer-queue.ts'
import { upload } from '../../files/upload.ts'
import { hasLocalCopy, type Manifest, type ManifestFile, planLocalPaths, readManifest } from './backup.ts'
import { findProject, type Project, projectUrl } from './find.ts'
import { isEmpty, planFingerprint, planOfNew, printPlan, type RestorePlan, summarizePlan } from './plan.ts'
import { createFolderResolver } from './remote-files.ts'

interface RestoreOptions {
  server?: string
  json?: boolean
  dryRun?: boolean
  replace?: boolean
  yes?: boolean
  private?: boolean
  parallel: number
}

export async function restoreProject(
  folder: string,
  ref: string | undefined,
  options: RestoreOptions,
  environment: CliEnvironment,
): Promise<void> {
  const manifest = await readManifest(resolve(folder))
  const localPaths = planLocalPaths(manifest, resolve(folder))
  const connection = await connect(options.server, environment, LONG_TIMEOUT_MS)
  const target = ref === undefined ? null : await findProject(connection, ref)
  if (options.dryRun && !target) return showNewProject(connection, manifest, localPaths, options.json)
  const project = target ?? (await createProject(connection, manifest, options))
  const mode = options.replace ? ('replace' as const) : ('merge' as const)
  const context: RestoreContext = { connection, project, manifest, mode }

  const { plan, planHash } = await requestPlan(context)
  const localCopies = await findLocalCopies(plan, localPaths)
  const { json = false, parallel } = options
  if (options.dryRun) return show(plan, localCopies, json, { server: connection.server, plan, planHash })
  if (isEmpty(plan)) return report(context, { applied: plan, planHash, snapshotId: null }, [], json)
  if (target) await requireConfirmation(plan, localCopies, options)
  const filesToUpload = plan.missingFiles
    .filter(({ id }) => localCopies.has(id))
    .map((file) => ({ file, local: localCopies.get(file.id)! }))
  const files = await uploadFiles(connection, project, filesToUpload, { json, parallel })
  const currentHash = files.length === 0 ? planHash : await repeatPlan(context, plan)
  report(context, await apply(context, currentHash), files, json)
}

interface RestoreContext {
  connection: Connection
  project: Project
  manifest: Manifest
  mode: 'merge' | 'replace'
}

type LocalPaths = ReturnType<typeof planLocalPaths>

async function createProject({ server, client }: Connection, manifest: Manifest, options: RestoreOptions) {
  const { name } = manifest.project
  const visibility = options.private ? ('private' as const) : undefined
  const call = client.projects.create({ name, visibility }, { idempotencyKey: crypto.randomUUID() })
  const created = await parseResponse(server, projects.create, call)
  if (!options.json)
    printMessage(
      `Created project ${created.slug}. If the restore is interrupted, continue with: npx atrium projects restore <folder> ${created.slug}`,
    )
  return created
}

async function requestPlan({ connection: { server, client }, project, manifest, mode }: RestoreContext) {
  const call = client.projectExport.restore({ projectId: project.id, ...manifest, mode, dryRun: 'true' })
  const result = await parseResponse(server, projectExport.restore, call)
  if (!result.dryRun) throw new Failure('failed', `${server} applied the restore instead of planning it`)
  return { plan: result.plan, planHash: result.planHash }
}

/** By file id. Only files unchanged since the export. */
async function findLocalCopies(
  { missingFiles }: RestorePlan,
  localPaths: LocalPaths,
): Promise<Map<string, string>> {
  const missing = new Set(missingFiles.map(({ id }) => id))
  const found = new Map<string, string>()
  for (const [file, local] of localPaths)
    if (missing.has(file.id) && (await hasLocalCopy(file, local))) found.set(file.id, local)
  return found
}

async function showNewProject(
  { server }: Connection,
  manifest: Manifest,
  localPaths: LocalPaths,
  json = false,
) {
  const plan = planOfNew(manifest)
  if (!json) print(`New project "${sanitize(manifest.project.name)}"`)
  show(plan, await findLocalCopies(plan, localPaths), json, { server, plan })
}

function show(plan: RestorePlan, localCopies: Map<string, string>, json: boolean, data: object): void {
  const isLocal = ({ id }: ManifestFile) => localCopies.has(id)
  if (json) printData({ dryRun: true, ...data })
  else {
    printPlan(plan, isLocal)
    print(summarizePlan(plan, isLocal))
  }
}

/** Without a terminal, requires --yes. */
async function requireConfirmation(
  plan: RestorePlan,
  localCopies: Map<string, string>,
  options: RestoreOptions,
): Promise<void> {
  if (options.yes) return
  const isLocal = ({ id }: ManifestFile) => localCopies.has(id)
  if (options.json || !canConfirm())
    throw new Failure(
      'usage',
      `This changes the project: ${summarizePlan(plan, isLocal)}`,
      'Use --yes to apply it, or --dry-run to see the plan.',
    )
  show(plan, localCopies, false, {})
  await confirm('Apply this plan?')
}

/** The new plan may differ from the confirmed one only in the uploaded files. */
async function repeatPlan(context: RestoreContext, confirmedPlan: RestorePlan): Promise<string> {
  const { plan, planHash } = await requestPlan(context)
  if (planFingerprint(plan) !== planFingerprint(confirmedPlan)) throw planOutdated()
  return planHash
}

async function apply(
  { connection: { server, client }, project, manifest, mode }: RestoreContext,
  planHash: string,
) {
  const call = client.projectExport.restore({ projectId: project.id, ...manifest, mode, planHash })
  const result = await parseResponse(
    server,
    projectExport.restore,
    call.catch((error: unknown) => {
      throw error instanceof ApiFailure && error.code === 'CONFLICT' ? planOutdated() : explain(error, server)
    }),
  )
  if (result.dryRun) throw new Failure('failed', `${server} planned the restore instead of applying it`)
  return result
}

const planOutdated = () =>
  new Failure(
    'failed',
    'The project changed since the plan was made, so nothing was restored',
    'Run the command again to see the new plan.',
  )

interface RestoreResult {
  applied: RestorePlan
  planHash: string
  /** Null if the plan was empty. */
  snapshotId: string | null
}

function report(
  { connection: { server }, project }: RestoreContext,
  result: RestoreResult,
  files: object[],
  json: boolean,
): void {
  const { create, update, delete: deleted, unchanged, missingFiles } = result.applied
  if (json) {
    printData({ server, project: project.slug, ...result, files })
    return
  }
  for (const { path } of missingFiles) printMessage(`missing  ${sanitize(path)}`)
  const counts = `${create.length} created, ${update.length} changed, ${deleted.length} deleted, ${unchanged} unchanged`
  if (result.snapshotId === null) printMessage(`Nothing to restore: ${unchanged} unchanged`)
  else {
    printMessage(
      `Restored: ${counts}${missingFiles.length > 0 ? `, ${counted(missingFiles.length, 'file')} missing` : ''}`,
    )
    printMessage(`Snapshot of the previous canvas: ${result.snapshotId}`)
  }
  print(projectUrl(server, project))
}

async function uploadFiles(
  connection: Connection,
  { folderId }: Project,
  files: { file: ManifestFile; local: string }[],
  { json, parallel }: { json: boolean; parallel: number },
): Promise<Outcome[]> {
  if (files.length === 0) return []
  if (folderId === null) throw new Failure('failed', 'The project has no folder')
  const { server } = connection
  const queue = createTransferQueue({ server, json, parallel, verb: 'uploaded', extraFields: null })
  const resolveFolder = createFolderResolver(connection, folderId)
  const tasks = files.map(({ file, local }): Task => {
    const { name, size, mimeType, path } = file
    queue.expect(1, size)
    return {
      path,
      local,
      size,
      async run(transfer) {
        const folders = decodePath(path)!.split('/').slice(0, -1)
        const parentId = await resolveFolder(folders)
        const { id } = await upload(connection, { path: local, name, size, mimeType }, parentId, transfer)
        return { id }
      },
    }
  })
  return queue.run(tasks)
}
