import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { ApiFailure } from '../../../client/client.ts'
import { projectExport } from '../../../contract/projects/project-export.ts'
import { projects } from '../../../contract/projects/projects.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, LONG_TIMEOUT_MS, parseResponse } from '../../connect.ts'
import { explain, Failure } from '../../failure.ts'
import {
  hasLocalCopy,
  localPathsOf,
  type Manifest,
  type ManifestFile,
  readManifest,
} from '../../projects/backup.ts'
import { findProject, type Project, urlOf } from '../../projects/find.ts'
import {
  fingerprintOf,
  isEmpty,
  planOfNew,
  printPlan,
  type RestorePlan,
  summaryOf,
} from '../../projects/plan.ts'
import { sendFiles } from '../../projects/send.ts'
import { print, printData, printMessage, sanitize } from '../../terminal.ts'

interface RestoreOptions {
  server?: string
  json?: boolean
  dryRun?: boolean
  replace?: boolean
  yes?: boolean
  private?: boolean
  parallel: number
}

/** Restores an exported project: plans, confirms, uploads missing files, applies the plan. */
export async function restoreProject(
  folder: string,
  which: string | undefined,
  options: RestoreOptions,
  environment: CliEnvironment,
): Promise<void> {
  const manifest = await readManifest(resolve(folder))
  const localPaths = localPathsOf(manifest, resolve(folder))
  const connection = await connect(options.server, environment, LONG_TIMEOUT_MS)
  const target = which === undefined ? null : await findProject(connection, which)
  if (options.dryRun && !target) return showNew(connection, manifest, localPaths, options.json)
  const project = target ?? (await makeProject(connection, manifest, options))
  const mode = options.replace ? ('replace' as const) : ('merge' as const)
  const run: Run = { connection, project, manifest, mode }

  const { plan, planHash } = await planOf(run)
  const local = await localOf(plan, localPaths)
  const { json = false, parallel } = options
  if (options.dryRun) return show(plan, local, json, { server: connection.server, plan, planHash })
  if (isEmpty(plan)) return report(run, { applied: plan, planHash, snapshotId: null }, [], json)
  if (target) await confirm(plan, local, options)
  const sendable = plan.missingFiles
    .filter(({ id }) => local.has(id))
    .map((file) => ({ file, local: local.get(file.id)! }))
  const files = await sendFiles(connection, project, sendable, { json, parallel })
  report(run, await apply(run, files.length === 0 ? planHash : await planAgain(run, plan)), files, json)
}

interface Run {
  connection: Connection
  project: Project
  manifest: Manifest
  mode: 'merge' | 'replace'
}

type LocalPaths = ReturnType<typeof localPathsOf>

async function makeProject({ server, client }: Connection, manifest: Manifest, options: RestoreOptions) {
  const { name } = manifest.project
  const visibility = options.private ? ('private' as const) : undefined
  const call = client.projects.create({ name, visibility }, { idempotencyKey: crypto.randomUUID() })
  const made = await parseResponse(server, projects.create, call)
  if (!options.json)
    printMessage(
      `Created project ${made.slug}. If this is interrupted, continue with: atrium projects restore <folder> ${made.slug}`,
    )
  return made
}

async function planOf({ connection: { server, client }, project, manifest, mode }: Run) {
  const call = client.projectExport.restore({ projectId: project.id, ...manifest, mode, dryRun: 'true' })
  const answer = await parseResponse(server, projectExport.restore, call)
  if (!answer.dryRun) throw new Failure('failed', `${server} applied the restore instead of planning it`)
  return { plan: answer.plan, planHash: answer.planHash }
}

/** The local paths of missing files whose content is unchanged since the export, by file id. */
async function localOf({ missingFiles }: RestorePlan, localPaths: LocalPaths): Promise<Map<string, string>> {
  const missing = new Set(missingFiles.map(({ id }) => id))
  const found = new Map<string, string>()
  for (const [file, local] of localPaths)
    if (missing.has(file.id) && (await hasLocalCopy(file, local))) found.set(file.id, local)
  return found
}

async function showNew({ server }: Connection, manifest: Manifest, localPaths: LocalPaths, json = false) {
  const plan = planOfNew(manifest)
  if (!json) print(`New project "${sanitize(manifest.project.name)}"`)
  show(plan, await localOf(plan, localPaths), json, { server, plan })
}

function show(plan: RestorePlan, local: Map<string, string>, json: boolean, data: object): void {
  const isLocal = ({ id }: ManifestFile) => local.has(id)
  if (json) printData({ dryRun: true, ...data })
  else {
    printPlan(plan, isLocal)
    print(summaryOf(plan, isLocal))
  }
}

/** Without a terminal there is no prompt. */
async function confirm(
  plan: RestorePlan,
  local: Map<string, string>,
  options: RestoreOptions,
): Promise<void> {
  if (options.yes) return
  const isLocal = ({ id }: ManifestFile) => local.has(id)
  if (options.json || !process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(
      'usage',
      `This changes the project: ${summaryOf(plan, isLocal)}`,
      'Use --yes to apply it, or --dry-run to see the plan.',
    )
  show(plan, local, false, {})
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question('Restore this? [y/N] ')
  lines.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('interrupted', 'Canceled')
}

/** After the upload, the plan must be the confirmed one except for the uploaded files. */
async function planAgain(run: Run, agreed: RestorePlan): Promise<string> {
  const { plan, planHash } = await planOf(run)
  if (fingerprintOf(plan) !== fingerprintOf(agreed)) throw moved()
  return planHash
}

async function apply({ connection: { server, client }, project, manifest, mode }: Run, planHash: string) {
  const call = client.projectExport.restore({ projectId: project.id, ...manifest, mode, planHash })
  const answer = await parseResponse(
    server,
    projectExport.restore,
    call.catch((error: unknown) => {
      throw error instanceof ApiFailure && error.code === 'CONFLICT' ? moved() : explain(error, server)
    }),
  )
  if (answer.dryRun) throw new Failure('failed', `${server} planned the restore instead of applying it`)
  return answer
}

const moved = () =>
  new Failure(
    'failed',
    'The project changed since the plan was made; nothing was restored',
    'Run the command again to see the new plan.',
  )

interface Applied {
  applied: RestorePlan
  planHash: string
  /** Null if the plan was empty. */
  snapshotId: string | null
}

function report(
  { connection: { server }, project }: Run,
  done: Applied,
  files: object[],
  json: boolean,
): void {
  const { create, update, delete: gone, unchanged, missingFiles } = done.applied
  if (json) {
    printData({ server, project: project.slug, ...done, files })
    return
  }
  for (const { path } of missingFiles) printMessage(`missing  ${sanitize(path)}`)
  const counts = `${create.length} created, ${update.length} changed, ${gone.length} deleted, ${unchanged} unchanged`
  if (done.snapshotId === null) printMessage(`Nothing to restore: ${unchanged} unchanged`)
  else {
    printMessage(
      `Restored: ${counts}${missingFiles.length > 0 ? `, ${missingFiles.length} files missing` : ''}`,
    )
    printMessage(`Snapshot of the previous canvas: ${done.snapshotId}`)
  }
  print(urlOf(server, project))
}
