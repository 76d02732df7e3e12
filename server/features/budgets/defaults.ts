import type { Context } from '../../context.ts'
import { deleteDefaultTotals } from './budget-queries.ts'
import { budgetsChanged } from './jobs.ts'

/** After a change of default budgets: their totals begin again with what the ledger has, and runs that wait try again. */
export async function resetDefaultTotals(ctx: Context): Promise<void> {
  const { orgId } = ctx.caller
  await deleteDefaultTotals(ctx.sql, orgId)
  await ctx.enqueue(budgetsChanged, { orgId })
}
