import type { z } from 'zod'
import { REPORTED_PERCENTAGES } from '../../../../contract/billing/budget-options.ts'
import type { Budget, budgets } from '../../../../contract/billing/budgets.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import * as queries from './budget-queries.ts'
import { deleteDefaultTotals } from './budget-queries.ts'
import { fromMicros, periodEnd, periodStart, toMicros } from './limits.ts'
import { budgetsChanged } from './reported.ts'
import { insertTotals } from './totals-queries.ts'

/** The list has no pages. */
const BUDGETS_MAX = 1000

export async function listAll(ctx: Context) {
  const [rows, waitingRuns] = await Promise.all([
    queries.listBudgets(ctx.sql, ctx.caller, ctx.now()),
    queries.countWaiting(ctx.sql, ctx.caller),
  ])
  return { items: rows.map((row) => present(row, ctx.now())), waitingRuns }
}

/** At least 80 % spent. */
export const listCloseBudgets = async ({ sql, caller, now }: Context) =>
  (await queries.listBudgets(sql, caller, now(), 'close')).map((row) => present(row, now()))

/** The limit of one month in US dollars. Null without a budget that the caller sees. */
export async function findMonthBudget({ sql, caller, now }: Context, scope: 'org' | 'user') {
  const scopeId = scope === 'org' ? caller.orgId : caller.userId
  const [row] = await queries.listBudgets(sql, caller, now(), { scope, scopeId, period: 'month' })
  return row?.amount ?? null
}

export const putBudget = (ctx: Context, input: InputOf<typeof budgets.put>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const { orgId } = caller
    const { scope, id: scopeId, period, amount, currency, onReach } = input
    const key = { scope, scopeId, period }
    await queries.lockBudgets(sql, orgId)
    if (amount === null) {
      const former = (await queries.deleteBudget(sql, orgId, key)) ?? raise(notFound('Budget'))
      await recordChange(inside, key, former, null)
      return { ...presentRemoved(key, currency, onReach), name: null }
    }
    if (!(await queries.hasSubject(sql, caller, key))) throw notFound('Budget')
    const now = ctx.now()
    const start = periodStart(period, now)
    if (start !== null) await insertTotals(sql, orgId, [{ ...key, periodStart: start }])
    const former = await queries.upsertBudget(sql, orgId, { ...key, amount, onReach, by: caller.userId, now })
    if (former === null && (await queries.countBudgets(sql, orgId)) > BUDGETS_MAX)
      throw conflict(`The organization has ${BUDGETS_MAX} budgets: remove one first`)
    await recordChange(inside, key, former, fromMicros(toMicros(amount)))
    const [row] = await queries.listBudgets(sql, caller, now, key)
    return present(row!, now)
  })

async function recordChange(
  ctx: Context,
  { scope, scopeId, period }: queries.BudgetKey,
  from: string | null,
  to: string | null,
): Promise<void> {
  const details = { scope, period, from: from ?? 'none', to: to ?? 'none' }
  const action = to === null ? 'budget.removed' : 'budget.set'
  await recordAudit(ctx, { action, by: ctx.caller, target: scopeId, details })
  await ctx.enqueue(budgetsChanged, { orgId: ctx.caller.orgId })
}

const present = (row: queries.BudgetRow, now: Date): z.output<typeof Budget> => {
  const { scope, scopeId: id, name, period, amount, onReach, reported, updatedBy, updatedAt } = row
  const spent = period === 'run' ? null : (row.spent ?? fromMicros(0n))
  const reserved = period === 'run' ? null : (row.reserved ?? fromMicros(0n))
  const left = spent === null ? null : toMicros(amount) - toMicros(spent) - toMicros(reserved!)
  const start = periodStart(period, now)
  return {
    ...{ scope, id, name, period, amount, currency: 'USD', onReach, spent, reserved },
    left: left === null ? null : fromMicros(left > 0n ? left : 0n),
    state: stateOf(amount, spent, reported ?? 0),
    periodStart: start === null || period === 'total' ? null : `${start}T00:00:00.000Z`,
    periodEnd: periodEnd(period, now)?.toISOString() ?? null,
    ...{ updatedBy, updatedAt },
  }
}

function stateOf(amount: string, spent: string | null, reported: number) {
  const percentage = Math.max(reported, spent === null ? 0 : percentageOf(amount, spent))
  if (percentage >= 100) return 'reached'
  return percentage >= 80 ? 'warning' : 'ok'
}

const presentRemoved = (
  { scope, scopeId: id, period }: queries.BudgetKey,
  currency: 'USD',
  onReach: queries.BudgetRow['onReach'],
) => ({
  ...{ scope, id, period, amount: null, currency, onReach },
  ...{ spent: null, reserved: null, left: null, state: 'ok' as const },
  ...{ periodStart: null, periodEnd: null, updatedBy: null, updatedAt: null },
})

const percentageOf = (amount: string, spent: string): number =>
  REPORTED_PERCENTAGES.findLast((share) => toMicros(spent) * 100n >= toMicros(amount) * BigInt(share)) ?? 0

/** Recomputed from the ledger. Waiting runs try again. */
export async function resetDefaultTotals(ctx: Context): Promise<void> {
  const { orgId } = ctx.caller
  await deleteDefaultTotals(ctx.sql, orgId)
  await ctx.enqueue(budgetsChanged, { orgId })
}
