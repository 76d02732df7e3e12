import type { z } from 'zod'
import type { RestorePlan as Schema } from '../../../contract/projects/project-export.ts'

export type RestorePlan = z.output<typeof Schema>
type PlanItem = RestorePlan['create'][number]
export type PlanBuilder = ReturnType<typeof createPlanBuilder>

const TITLE_POINTS_MAX = 80

/** Collects the items of a plan. */
export function createPlanBuilder() {
  const plan: RestorePlan = { create: [], update: [], delete: [], unchanged: 0, missingFiles: [] }
  return {
    plan,
    create: (item: PlanItem) => void plan.create.push(item),
    update: (item: PlanItem & { fields: string[] }) => void plan.update.push(item),
    delete: (item: PlanItem) => void plan.delete.push(item),
    addUnchanged: () => void plan.unchanged++,
    addMissingFile: (file: RestorePlan['missingFiles'][number]) => void plan.missingFiles.push(file),
  }
}

interface Titled {
  title: string | null
  content: string | null
}

/** The title, or the beginning of the first line of the content. */
export function titleOfBlock({ title, content }: Titled): string | null {
  const text = title || (content?.trimStart().split('\n', 1)[0] ?? '')
  return [...text.slice(0, TITLE_POINTS_MAX * 2)].slice(0, TITLE_POINTS_MAX).join('').trim() || null
}

interface LabeledEdge {
  fromBlockId: string
  toBlockId: string
  label: string | null
}

/** The label, or the titles of both blocks. */
export function titleOfEdge(
  { label, fromBlockId, toBlockId }: LabeledEdge,
  blocks: Map<string, Titled>,
): string {
  const nameOf = (id: string) => titleOfBlock(blocks.get(id) ?? { title: null, content: null }) ?? id
  return label || `${nameOf(fromBlockId)} → ${nameOf(toBlockId)}`
}
