import { t } from '../../../../contract/text.ts'
import type { Usage } from '../../../api/usage.ts'
import { lastDayOfMonth } from './spend.ts'

const DAY_MS = 86_400_000

export const RANGES = [
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
  { value: 'month', label: t`This month` },
  { value: 'last-month', label: t`Last month` },
] as const
export type Range = (typeof RANGES)[number]['value']

export type SpendGroup = Exclude<Usage['groupBy'], 'day'>

export const GROUPS: readonly { value: SpendGroup; label: string }[] = [
  { value: 'agent', label: t`Agent` },
  { value: 'model', label: t`Model` },
  { value: 'project', label: t`Project` },
  { value: 'user', label: t`Member` },
  { value: 'key', label: t`API key` },
]

/** Falls back to the default for an unknown value, from an edited URL. */
export const parseUsageRange = (value: string | undefined): Range =>
  RANGES.find((range) => range.value === value)?.value ?? 'month'

export const parseUsageGroup = (value: string | undefined): SpendGroup =>
  GROUPS.find((group) => group.value === value)?.value ?? 'agent'

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** In UTC, as the server counts. */
export function firstAndLastDay(range: Range, now: number): { from: string; to: string } {
  const to = dayOf(now)
  const first = `${to.slice(0, 8)}01`
  if (range === 'month') return { from: first, to }
  if (range !== 'last-month') return { from: dayOf(now - (Number(range) - 1) * DAY_MS), to }
  const before = dayOf(Date.parse(first) - DAY_MS)
  return { from: `${before.slice(0, 8)}01`, to: lastDayOfMonth(before) }
}
