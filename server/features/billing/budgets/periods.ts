import type { BudgetPeriod } from '../../../../contract/billing/budget-options.ts'

/** The first day of the period that contains this time, in UTC; null for a run, which has no dates. */
export function periodStart(period: BudgetPeriod, now: Date): string | null {
  const day = now.toISOString().slice(0, 10)
  if (period === 'day') return day
  if (period === 'month') return `${day.slice(0, 8)}01`
  return period === 'total' ? '1970-01-01' : null
}

/** When the next period begins; null if there is none. */
export function periodEnd(period: BudgetPeriod, now: Date): Date | null {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  if (period === 'day') return new Date(Date.UTC(year, month, date + 1))
  return period === 'month' ? new Date(Date.UTC(year, month + 1, 1)) : null
}
