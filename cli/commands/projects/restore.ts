import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { ApiFailure } from '../../../client/client.ts'
import { projectExport } from '../../../contract/projects/project-export.ts'
import { projects } from '../../../contract/projects/projects.ts'
import type { Surroundings } from '../../config.ts'
import { ask, type Connection, connect, LONG_TIMEOUT_MS } from '../../connect.ts'
import { explain, Failure } from '../../failure.ts'
import { isHere, type Manifest, type ManifestFile, placesOf, readManifest } from '../../projects/backup.ts'
import { addressOf, findProject, type Project } from '../../projects/find.ts'
import { gistOf, isEmpty, planOfNew, printPlan, type RestorePlan, summaryOf } from '../../projects/plan.ts'
import { sendFiles } from '../../projects/send.ts'
import { plain, print, printData, tell } from '../../terminal.ts'

interface RestoreOptions {
  server?: string
  json?: boolean
  dryRun?: boolean
  replace?: boolean
  yes?: boolean
  private?: boolean
  parallel: number
}

/** Brings an exported project back: plans, asks, sends what is missing, and restores what was planned. */
export async function restoreProject(
  folder: string,
  which: string | undefined,
  options: RestoreOptions,
  around: Surroundings,
): Promise<void> {
  const manifest = await readManifest(resolve(folder))
  const places = placesOf(manifest, resolve(folder))
  const connection = await connect(options.server, around, LONG_TIMEOUT_MS)
  const target = which === undefined ? null : await findProject(connection, which)
  if (options.dryRun && !target) return showNew(connection, manifest, places, options.json)
  const project = target ?? (await makeProject(connection, manifest, options))
  const mode = options.replace ? ('replace' as const) : ('merge' as const)
  const run: Run = { connection, project, manifest, mode }

  const { plan, planHash } = await planOf(run)
  const local = await localOf(plan, places)
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

type Places = ReturnType<typeof placesOf>

async function makeProject({ server, client }: Connection, manifest: Manifest, options: RestoreOptions) {
  const { name } = manifest.project
  const visibility = options.private ? ('private' as const) : undefined
  const call = client.projects.create({ name, visibility }, { idempotencyKey: crypto.randomUUID() })
  const made = await ask(server, projects.create, call)
  if (!options.json) tell(`Made the project ${made.slug}; should this be cut off, go on by naming it`)
  return made
}

async function planOf({ connection: { server, client }, project, manifest, mode }: Run) {
  const call = client.projectExport.restore({ projectId: project.id, ...manifest, mode, dryRun: 'true' })
  const answer = await ask(server, projectExport.restore, call)
  if (!answer.dryRun) throw new Failure('failed', `${server} did more than plan`)
  return { plan: answer.plan, planHash: answer.planHash }
}

/** Where those of the wanted files are that are here as they were exported, by their ids. */
async function localOf({ missingFiles }: RestorePlan, places: Places): Promise<Map<string, string>> {
  const wanted = new Set(missingFiles.map(({ id }) => id))
  const found = new Map<string, string>()
  for (const [file, local] of places)
    if (wanted.has(file.id) && (await isHere(file, local))) found.set(file.id, local)
  return found
}

async function showNew({ server }: Connection, manifest: Manifest, places: Places, json = false) {
  const plan = planOfNew(manifest)
  if (!json) print(`A new project "${plain(manifest.project.name)}"`)
  show(plan, await localOf(plan, places), json, { server, plan })
}

function show(plan: RestorePlan, local: Map<string, string>, json: boolean, data: object): void {
  const isLocal = ({ id }: ManifestFile) => local.has(id)
  if (json) printData({ dryRun: true, ...data })
  else {
    printPlan(plan, isLocal)
    print(summaryOf(plan, isLocal))
  }
}

/** Nobody is asked who is not there to answer. */
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
      'Add --yes to do it, or --dry-run to see it.',
    )
  show(plan, local, false, {})
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question('Restore this? [y/N] ')
  lines.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('interrupted', 'Nothing was changed')
}

/** The files that were missing have come; apart from them it must be what was agreed to. */
async function planAgain(run: Run, agreed: RestorePlan): Promise<string> {
  const { plan, planHash } = await planOf(run)
  if (gistOf(plan) !== gistOf(agreed)) throw moved()
  return planHash
}

async function apply({ connection: { server, client }, project, manifest, mode }: Run, planHash: string) {
  const call = client.projectExport.restore({ projectId: project.id, ...manifest, mode, planHash })
  const answer = await ask(
    server,
    projectExport.restore,
    call.catch((error: unknown) => {
      throw error instanceof ApiFailure && error.code === 'CONFLICT' ? moved() : explain(error, server)
    }),
  )
  if (answer.dryRun) throw new Failure('failed', `${server} only planned`)
  return answer
}

const moved = () =>
  new Failure(
    'failed',
    'The project was changed by somebody else meanwhile, and nothing was restored',
    'Run it again to see the new plan.',
  )

interface Applied {
  applied: RestorePlan
  planHash: string
  /** Null where there was nothing to do. */
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
  for (const { path } of missingFiles) tell(`missing  ${plain(path)}`)
  const counts = `${create.length} created, ${update.length} changed, ${gone.length} deleted, ${unchanged} unchanged`
  if (done.snapshotId === null) tell(`Nothing to restore: ${unchanged} unchanged`)
  else {
    tell(`Restored: ${counts}${missingFiles.length > 0 ? `, ${missingFiles.length} files missing` : ''}`)
    tell(`The canvas as it was before is the snapshot ${done.snapshotId}`)
  }
  print(addressOf(server, project))
}
