import type { InputOf } from '../../../../contract/endpoint.ts'
import { decodePath } from '../../../../contract/projects/manifest-paths.ts'
import type { projectExport } from '../../../../contract/projects/project-export.ts'
import type { Context } from '../../../context.ts'
import { conflict, raise } from '../../../errors.ts'
import { type CanvasWrite, markOutside, takeSnapshot, writeCanvas } from '../../canvas/canvas/canvas.ts'
import { existingContent } from '../../files/files/files.ts'
import { restoreMemory } from '../../knowledge/memory/memory.ts'
import {
  changeProject,
  findProject,
  lockProject,
  type ProjectRow,
  publishProjectEvent,
} from '../projects/projects.ts'
import { checkManifest } from './check-manifest.ts'
import { isChecked } from './manifest-thread.ts'
import { type PlannedRestore, planRestore } from './plan.ts'

/** Manifest ids never affect other projects. */
export async function restoreProject(ctx: Context<'quotas'>, input: InputOf<typeof projectExport.restore>) {
  const { projectId, dryRun, mode, planHash: expected, ...given } = input
  const manifest = isChecked(given) ? given : checkManifest(given)
  if (dryRun) {
    const project = await findProject(ctx, projectId, 'edit')
    const { plan, planHash } = await planRestore(ctx, project, manifest, mode)
    return { dryRun: true as const, plan, planHash }
  }
  return ctx.transaction(async (inside) => {
    const project = await lockProject(inside, projectId)
    const planned = await planRestore(inside, project, manifest, mode)
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
  const existing = files.map(({ file }) => ({ ...file, path: decodePath(file.path)! }))
  const ids = await existingContent.createFiles(ctx, project.id, existing)
  const fileIds = new Map(files.map(({ key }, index) => [key, ids[index] ?? raise(planOutdated())]))
  const { rewired, ...write } = canvas
  if (rewired.length > 0) await writeCanvas(ctx, project, { delete: { edges: rewired } })
  const { changeSeq } = project
  await writeCanvas(ctx, project, withIds(write, fileIds))
  await markOutside(ctx.sql, project, { blockIds: outside, after: changeSeq })
  await restoreMemory(ctx, project.id, memory)
}

function withIds({ create, update, ...write }: CanvasWrite, fileIds: Map<string, string>): CanvasWrite {
  const withId = <B extends { fileId?: string | null }>(block: B): B =>
    block.fileId ? { ...block, fileId: fileIds.get(block.fileId) ?? block.fileId } : block
  return {
    ...write,
    create: { ...create, blocks: create?.blocks?.map(withId) ?? [] },
    update: { ...update, blocks: update?.blocks?.map(withId) ?? [] },
  }
}

const planOutdated = () => conflict('The project has changed since the plan was made: plan again')
