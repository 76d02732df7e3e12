import { t } from '../../../../contract/text.ts'

interface Dated {
  lastMessageAt: string
}

interface DayGroup<T> {
  label: string
  items: T[]
}

/** Today, yesterday, last week, last month and older, by the reader's calendar. Keeps the order; omits empty groups. */
export function groupByDay<T extends Dated>(items: readonly T[], now: Date): DayGroup<T>[] {
  const labels = [t`Today`, t`Yesterday`, t`Last week`, t`Last month`, t`Older`]
  const groups = labels.map((label): DayGroup<T> => ({ label, items: [] }))
  for (const item of items) {
    const days = daysBetween(new Date(item.lastMessageAt), now)
    const index = DAYS.findIndex((limit) => days <= limit)
    groups[index === -1 ? labels.length - 1 : index]!.items.push(item)
  }
  return groups.filter(({ items: found }) => found.length > 0)
}

/** Of today, yesterday, last week and last month. */
const DAYS = [0, 1, 7, 30]
const DAY_MS = 86_400_000

const daysBetween = (from: Date, to: Date) => Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS)

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
