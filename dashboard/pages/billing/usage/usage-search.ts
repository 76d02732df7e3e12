import { USAGE_GROUPS, type UsageGroup } from '../../../../contract/billing/budget-options.ts'
import { t } from '../../../../contract/text.ts'

const DAY_MS = 86_400_000

export const RANGES = [
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
  { value: 'month', label: t`This month` },
] as const
export type Range = (typeof RANGES)[number]['value']

export const GROUP_LABELS: Record<UsageGroup, string> = {
  day: t`Day`,
  project: t`Project`,
  agent: t`Agent`,
  model: t`Model`,
  user: t`Member`,
  key: t`API key`,
}

/** Falls back to the default for an unknown value, from an edited URL. */
export const parseUsageRange = (value: string | undefined): Range =>
  RANGES.find((range) => range.value === value)?.value ?? '30'

export const parseUsageGroup = (value: string | undefined): UsageGroup =>
  USAGE_GROUPS.find((group) => group === value) ?? 'model'

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** In UTC, as the server counts. */
export function firstAndLastDay(range: Range, now: number): { from: string; to: string } {
  const to = dayOf(now)
  if (range === 'month') return { from: `${to.slice(0, 8)}01`, to }
  return { from: dayOf(now - (Number(range) - 1) * DAY_MS), to }
}

/** Includes days without usage. */
export function everyDay(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  return Array.from({ length: count }, (_, index) => dayOf(Date.parse(from) + index * DAY_MS))
}
