import { canonicalJson } from '../../../contract/canonical-json.ts'
import { toDisplayName } from '../../../contract/display-name.ts'
import type { Context } from '../../context.ts'
import { sha256 } from '../../security/digest.ts'
import { withoutRuntime } from '../canvas/canvas.ts'
import type { ProjectRow } from '../projects/projects.ts'
import { readContents } from './export.ts'
import { type Manifest, portableFieldsOf } from './manifest.ts'
import { createPlanBuilder, type RestorePlan } from './plan-builder.ts'
import { isSame, planCanvas } from './plan-canvas.ts'
import { planFiles } from './plan-files.ts'

const NAME_POINTS_MAX = 255

export type Mode = 'merge' | 'replace'
export type PlannedRestore = Awaited<ReturnType<typeof planRestore>>

/** Plans the restore of a manifest into the current state of the project. */
export async function planRestore(ctx: Context, project: ProjectRow, manifest: Manifest, mode: Mode) {
  const draft = createPlanBuilder()
  const now = await readContents(ctx, project)
  const settings = planSettings(project, manifest)
  const fields = Object.keys(settings)
  if (fields.length === 0) draft.addUnchanged()
  else draft.update({ kind: 'project', id: project.id, title: manifest.project.name, fields })
  const files = await planFiles(ctx, draft, now.files, manifest.files)
  const target = { blocks: manifest.blocks.map(withoutRuntime).map(files.withFile), edges: manifest.edges }
  const canvas = planCanvas(draft, now, target, mode)
  const { plan } = draft
  return { plan, planHash: hashOf({ plan, project, manifest, mode }), settings, files: files.add, canvas }
}

/** The settings that change. A manifest never changes the visibility. */
function planSettings(project: ProjectRow, manifest: Manifest): Partial<Manifest['project']> {
  const now = portableFieldsOf(project)
  // A backup can contain a name from before the rule of display names.
  const name = toDisplayName(manifest.project.name, NAME_POINTS_MAX) || now.name
  const target = { ...manifest.project, name, tags: [...new Set(manifest.project.tags)] }
  const changed = Object.entries(target).filter(
    ([name, value]) => !isSame(now[name as keyof typeof now], value),
  )
  return Object.fromEntries(changed)
}

/** Changes with the project, the manifest and the mode, so that an outdated plan is detected. */
const hashOf = ({ plan, project, manifest, mode }: Hashed): string =>
  sha256(
    canonicalJson({
      plan,
      mode,
      checksum: manifest.checksum.value,
      project: { id: project.id, version: project.version, changeSeq: project.changeSeq },
    }),
  ).toString('hex')

interface Hashed {
  plan: RestorePlan
  project: ProjectRow
  manifest: Manifest
  mode: Mode
}
