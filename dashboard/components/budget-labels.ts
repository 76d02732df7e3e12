import type { BudgetAction, BudgetPeriod, BudgetScope } from '../../contract/billing/budget-options.ts'
import { t } from '../../contract/text.ts'
import { labelInSentence } from '../state/label-in-sentence.ts'
import { formatCost } from './amounts.ts'

export const SCOPE_LABELS: Record<BudgetScope, string> = {
  org: t`Organization`,
  project: t`Project`,
  agent: t`Agent`,
  user: t`Member`,
  key: t`API key`,
}

export const PERIOD_LABELS: Record<BudgetPeriod, string> = {
  run: t`per run`,
  day: t`per day`,
  month: t`per month`,
  total: t`in total`,
}

export const ACTION_LABELS: Record<BudgetAction, { label: string; meaning: string }> = {
  pause: {
    label: t`Pause runs`,
    meaning: t`Runs wait until the budget is raised or its next period begins.`,
  },
  stop: { label: t`Stop runs`, meaning: t`Runs that exceed the budget fail.` },
  notify: { label: t`Notify only`, meaning: t`Runs continue, and admins are notified.` },
}

export interface WaitingBudget {
  reason: 'spent' | 'reserved'
  scope: BudgetScope
  id: string
  period: BudgetPeriod
  amount: string
  spent: string
  needed: string
}

export function explainBudgetWait({ reason, scope, period, amount, spent, needed }: WaitingBudget): string {
  const name = t`The ${labelInSentence(SCOPE_LABELS[scope])} budget ${PERIOD_LABELS[period]}`
  const used = t`${formatCost({ amount: spent })} of ${formatCost({ amount })} used`
  if (reason === 'reserved')
    return t`${name} is reserved by other runs (${used}). This run continues when they end.`
  return t`${name} can’t cover the next model call: ${used}, and the call can cost ${formatCost({ amount: needed })}.`
}

/** Search parameter that opens a budget form on the usage page. */
export const budgetParam = ({ scope, id, period }: Pick<WaitingBudget, 'scope' | 'id' | 'period'>) =>
  `${scope}.${id}.${period}`
