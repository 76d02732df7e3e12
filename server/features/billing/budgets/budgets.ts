import { budgets as contract } from '../../../../contract/billing/budgets.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { listAll, putBudget } from './manage.ts'
import { announceReported, budgetReported } from './reported.ts'

export { lockBudgets, pausedBudgetCount } from './budget-queries.ts'
export { lockSpending, mayBeLimited, periodEnd, toMicros } from './limits.ts'
export { findMonthBudget, listCloseBudgets, resetDefaultTotals } from './manage.ts'
export { budgetsChanged } from './reported.ts'
export { type AdditionalCall, type Refusal, releaseCall, reportRefused, reserveCall } from './reserve.ts'
export { type AmountRefusal, describeBudget, releaseAmount, reserveAmount } from './reserve-amount.ts'

/** Spending limits: a run reserves the maximum before a model call and pays the actual cost after it. */
export const budgets: Feature = {
  routes: [handle(contract.list, listAll), handle(contract.put, putBudget)],
  jobs: [onJob(budgetReported, announceReported)],
}
