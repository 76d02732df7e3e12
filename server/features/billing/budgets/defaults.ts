import type { Context } from '../../../context.ts'
import { deleteDefaultTotals } from './budget-queries.ts'
import { budgetsChanged } from './jobs.ts'

/** After a change of default budgets: their totals are computed again from the ledger, and waiting runs try again. */
export async function resetDefaultTotals(ctx: Context): Promise<void> {
  const { orgId } = ctx.caller
  await deleteDefaultTotals(ctx.sql, orgId)
  await ctx.enqueue(budgetsChanged, { orgId })
}
