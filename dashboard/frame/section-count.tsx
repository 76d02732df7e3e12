import { useQuery } from '@tanstack/react-query'
import { t } from '../../contract/text.ts'
import { countsQuery } from '../api/sidebar.ts'
import type { Count } from './sections.ts'

/** The server counts at most 100. */
const COUNT_MAX = 99

const WHAT: Record<Count, string> = {
  inbox: t`waiting for you`,
  decisions: t`open`,
  live: t`running`,
  memory: t`proposed`,
  budgets: t`paused`,
}

export const useCount = (of: Count) => useQuery(countsQuery).data?.[of] ?? 0

/** Amber waits for you; teal is an agent at work. */
export function SectionCount({ of, collapsed }: { of: Count; collapsed?: boolean }) {
  const count = useCount(of)
  if (count === 0) return null
  const shown = count > COUNT_MAX ? `${COUNT_MAX}+` : count
  if (of === 'live')
    return (
      <span
        className={`flex items-center gap-4 text-12 text-accent-text tabular-nums ${collapsed ? 'absolute top-4 right-4' : 'ml-auto'}`}
      >
        <span aria-hidden className="size-8 rounded-round bg-accent-mark" />
        <span className={collapsed ? 'sr-only' : ''}>{t`${shown} live`}</span>
      </span>
    )
  return (
    <span
      className={`min-w-16 rounded-round border border-warning-line bg-warning-wash px-4 text-center font-strong text-12 text-warning-text tabular-nums ${collapsed ? 'absolute top-0 right-0' : 'ml-auto'}`}
    >
      {shown}
      <span className="sr-only"> {WHAT[of]}</span>
    </span>
  )
}
