import type { z } from 'zod'
import type { RestorePlan as Schema } from '../../../../contract/projects/project-export.ts'

export type RestorePlan = z.output<typeof Schema>
type PlanItem = RestorePlan['create'][number]
export type PlanBuilder = ReturnType<typeof createPlanBuilder>

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
