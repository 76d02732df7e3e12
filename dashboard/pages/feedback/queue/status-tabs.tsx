import { Link } from '@tanstack/react-router'
import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'
import { QUEUE_STATUS, QUEUE_STATUSES } from './queue-status.ts'

export function StatusTabs({ counts }: { counts: Record<FeedbackStatus, number> | undefined }) {
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <TabRow label="Status">
      <StatusTab label="All" count={all} />
      {QUEUE_STATUSES.map((status) => (
        <StatusTab key={status} status={status} label={QUEUE_STATUS[status].label} count={counts?.[status]} />
      ))}
    </TabRow>
  )
}

function StatusTab({ status, label, count }: { status?: FeedbackStatus; label: string; count?: number }) {
  return (
    <Link
      to="/operate/feedback"
      search={{ status }}
      activeOptions={{ includeSearch: true, explicitUndefined: true }}
      className={TAB}
    >
      {label}
      {count !== undefined && <span className="font-regular text-neutral-11 tabular-nums">{count}</span>}
    </Link>
  )
}
