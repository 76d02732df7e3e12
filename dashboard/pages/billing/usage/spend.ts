import type { Usage } from '../../../api/usage.ts'

const DAY_MS = 86_400_000

export interface SpendDay {
  day: string
  cost: number
  /** From the first day on; null for days to come. */
  total: number | null
}

/** Every day from the first to `last`, which is later than the usage's own for a month that isn't over. */
export function spendByDay(usage: Pick<Usage, 'from' | 'to' | 'days'>, last: string): SpendDay[] {
  const costs = new Map(usage.days.map(({ day, cost }) => [day, Number(cost.amount)]))
  let total = 0
  return everyDay(usage.from, last).map((day) => {
    const cost = costs.get(day) ?? 0
    total += cost
    return { day, cost, total: day > usage.to ? null : total }
  })
}

/** Includes days without usage. */
export function everyDay(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  )
}

export function lastDayOfMonth(day: string): string {
  const [year, month] = day.split('-').map(Number)
  return new Date(Date.UTC(year!, month!, 0)).toISOString().slice(0, 10)
}

/**
 * What the month will cost if the rest of it costs as much per day as the part so far. Null on its first day, which is
 * too short to tell.
 */
export function forecastMonth(spent: number, from: string, now: number): number | null {
  const start = Date.parse(from)
  const elapsed = (now - start) / DAY_MS
  const days = Math.round((Date.parse(lastDayOfMonth(from)) - start) / DAY_MS) + 1
  return elapsed < 1 ? null : Math.max(spent, (spent / elapsed) * days)
}
