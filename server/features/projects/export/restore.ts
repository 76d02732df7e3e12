import type { InputOf } from '../../../../contract/endpoint.ts'
import { decodePath } from '../../../../contract/projects/manifest-paths.ts'
import type { projectExport } from '../../../../contract/projects/project-export.ts'
import type { Context } from '../../../context.ts'
import { dryRun } from '../../../dry-run.ts'
import { conflict } from '../../../errors.ts'
import { markOutside, takeSnapshot, writeCanvas } from '../../canvas/canvas/canvas.ts'
import { existingContent } from '../../files/files/files.ts'
import { restoreMemory } from '../../knowledge/memory/memory.ts'
import { changeProject, lockProject, type ProjectRow, publishProjectEvent } from '../projects/projects.ts'
import { checkManifest } from './check-manifest.ts'
import { asChecked } from './manifest-thread.ts'
import { type PlannedRestore, planRestore } from './plan.ts'

/** Manifest ids never affect other projects. */
export async function restoreProject(ctx: Context<'quotas'>, input: InputOf<typeof projectExport.restore>) {
  const { projectId, dryRun: isDryRun, mode, planHash: expected, ...given } = input
  const manifest = asChecked(given) ?? checkManifest(given)
  const plan = async (inside: Context<'quotas'>) => {
    const project = await lockProject(inside, projectId)
    return { project, planned: await planRestore(inside, project, manifest, mode) }
  }
  if (isDryRun) {
    const { planned } = await dryRun(ctx, plan)
    return { dryRun: true as const, plan: planned.plan, planHash: planned.planHash }
  }
  return ctx.transaction(async (inside) => {
    const { project, planned } = await plan(inside)
    if (expected !== undefined && expected !== planned.planHash) throw planOutdated()
    const { id: snapshotId } = await takeSnapshot(inside, project, { reason: 'restore' })
    await apply(inside, project, planned)
    await publishProjectEvent(inside, 'project.restored', project, { from: 'manifest' })
    return { dryRun: false as const, applied: planned.plan, planHash: planned.planHash, snapshotId }
  })
}

async function apply(
  ctx: Context<'quotas'>,
  project: ProjectRow,
  { settings, files, canvas, memory, outside }: PlannedRestore,
): Promise<void> {
  if (Object.keys(settings).length > 0) await changeProject(ctx, project, settings)
  const existing = files.map(({ id, file }) => ({ ...file, id, path: decodePath(file.path)! }))
  const ids = await existingContent.createFiles(ctx, project.id, existing)
  if (ids.includes(null)) throw planOutdated()
  const { rewired, ...write } = canvas
  if (rewired.length > 0) await writeCanvas(ctx, project, { delete: { edges: rewired } })
  const { changeSeq } = project
  await writeCanvas(ctx, project, write)
  await markOutside(ctx.sql, project, { blockIds: outside, after: changeSeq })
  await restoreMemory(ctx, project.id, memory)
}

const planOutdated = () => conflict('The project has changed since the plan was made: plan again')
