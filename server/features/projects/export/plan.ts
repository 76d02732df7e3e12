import { canonicalJson } from '../../../../contract/canonical-json.ts'
import { toDisplayName } from '../../../../contract/display-name.ts'
import { inSlices } from '../../../concurrency/slices.ts'
import type { Context } from '../../../context.ts'
import { createDigest } from '../../../security/digest.ts'
import { withoutRuntime, withTableIds } from '../../canvas/canvas/canvas.ts'
import type { ProjectRow } from '../projects/projects.ts'
import { restoreTables } from '../tables/tables.ts'
import { type CheckedManifest, type Manifest, type ManifestBlock, pickPortableFields } from './manifest.ts'
import { isSame, planCanvas } from './plan-canvas.ts'
import { addTables, createPlanBuilder, planFiles, planMemory, type RestorePlan } from './plan-parts.ts'
import { readContents } from './project-contents.ts'

const NAME_POINTS_MAX = 255

export type Mode = 'merge' | 'replace'
export type PlannedRestore = Awaited<ReturnType<typeof planRestore>>

/**
 * Restores tables, of which a plan has numbers of rows, and plans the rest. The project must be locked, and a dry run
 * rolled back.
 */
export async function planRestore(
  ctx: Context<'quotas'>,
  project: ProjectRow,
  manifest: CheckedManifest,
  mode: Mode,
) {
  const builder = createPlanBuilder()
  const current = await readContents(ctx, project)
  const settings = planSettings(project, manifest)
  const fields = Object.keys(settings)
  if (fields.length === 0) builder.addUnchanged()
  else builder.update({ kind: 'project', id: project.id, title: manifest.project.name, fields })
  const files = await planFiles(ctx, builder, current.files, manifest.files)
  const tables =
    manifest.tables &&
    (await restoreTables(ctx, project.id, { tables: manifest.tables, mode, files: files.ids }))
  const withIds = (block: ManifestBlock) => files.withFile(tables ? withTableIds(block, tables.ids) : block)
  const target = { blocks: manifest.blocks.map(withoutRuntime).map(withIds), edges: manifest.edges }
  // Agent block state belongs to runs, which aren't part of the contents.
  const canvas = await planCanvas(
    builder,
    { ...current, blocks: current.blocks.map(withoutRuntime) },
    target,
    mode,
  )
  if (tables) addTables(builder, tables.outcomes)
  const memory = planMemory(builder, current.memory, manifest.memory)
  const { plan } = builder
  const planHash = await hashOf({ plan, project, manifest, mode, tables: tables?.state })
  return { plan, planHash, settings, files: files.add, canvas, memory, outside: manifest.outside ?? [] }
}

/** A manifest never changes the visibility. */
function planSettings(project: ProjectRow, manifest: CheckedManifest): Partial<Manifest['project']> {
  const current = pickPortableFields(project)
  // An old manifest may have a name that display name rules no longer allow.
  const name = toDisplayName(manifest.project.name, NAME_POINTS_MAX) || current.name
  const target = { ...manifest.project, name, tags: [...new Set(manifest.project.tags)] }
  const changed = Object.entries(target).filter(
    ([name, value]) => !isSame(current[name as keyof typeof current], value),
  )
  return Object.fromEntries(changed)
}

/** Detects an outdated plan. */
async function hashOf({ plan, project, manifest, mode, tables }: PlanHashInput): Promise<string> {
  const { create, update, delete: deleted, ...rest } = plan
  const digest = createDigest()
  digest.add(
    canonicalJson({
      ...rest,
      counts: [create.length, update.length, deleted.length],
      mode,
      tables,
      checksum: manifest.checksum.value,
      project: { id: project.id, version: project.version, changeSeq: project.changeSeq },
    }),
  )
  for (const items of [create, update, deleted])
    await inSlices<object>(items, (item) => digest.add(canonicalJson(item)))
  return digest.hex()
}

interface PlanHashInput {
  plan: RestorePlan
  project: ProjectRow
  manifest: CheckedManifest
  mode: Mode
  tables: string | undefined
}
