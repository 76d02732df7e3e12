import { budgets as contract } from '../../../../contract/billing/budgets.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { budgetReported } from './jobs.ts'
import { listAll, putBudget } from './manage.ts'
import { announceReported } from './reported.ts'

export { lockBudgets } from './budget-queries.ts'
export { resetDefaultTotals } from './defaults.ts'
export { budgetsChanged } from './jobs.ts'
export { lockSpending, mayBeLimited } from './limits.ts'
export { listCloseBudgets } from './manage.ts'
export { toMicros } from './micros.ts'
export { periodEnd } from './periods.ts'
export { releaseCall, reportRefused } from './release.ts'
export { type AdditionalCall, type Refusal, reserveCall } from './reserve.ts'
export { type AmountRefusal, describeBudget, releaseAmount, reserveAmount } from './reserve-amount.ts'

/** Limits on the spending of runs: reserved before a model call, charged and released after it. */
export const budgets: Feature = {
  routes: [handle(contract.list, listAll), handle(contract.put, putBudget)],
  jobs: [onJob(budgetReported, announceReported)],
}
