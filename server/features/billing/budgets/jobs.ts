import { z } from 'zod'
import { BUDGET_PERIODS, BUDGET_SCOPES } from '../../../../contract/billing/budget-options.ts'
import { job } from '../../../jobs/job.ts'

/** A budget was changed or removed: runs that wait for one may continue. */
export const budgetsChanged = job('budgets.changed', z.object({ orgId: z.uuid() }))

/** Most of a budget is spent, or all of it: admins are notified. */
export const budgetReported = job(
  'budgets.reported',
  z.object({
    orgId: z.uuid(),
    scope: z.enum(BUDGET_SCOPES),
    scopeId: z.uuid(),
    period: z.enum(BUDGET_PERIODS),
    periodStart: z.string(),
    percentage: z.int(),
  }),
)
