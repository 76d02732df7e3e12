import { useQuery } from '@tanstack/react-query'
import { LOCALE, t } from '../../../../contract/text.ts'
import { activityQuery, type DayRuns, toDays } from '../../../api/agent-activity.ts'
import { RunBars } from './run-bars.tsx'

/** Quiet until the agent has run. */
export function AgentFigures({ id }: { id: string }) {
  const activity = useQuery(activityQuery({ agentId: id })).data
  const days = activity && toDays(activity, id)
  const total = days?.reduce((sum, { total: runs }) => sum + runs, 0) ?? 0
  if (!days || total === 0) return null
  const share = successShare(days)
  return (
    <div className="flex items-end gap-24 pt-4 max-md:w-full max-md:justify-between">
      <div className="flex flex-col gap-4 text-12 text-neutral-11">
        {total === 1 ? t`1 run in 14 days` : t`${total.toLocaleString(LOCALE)} runs in 14 days`}
        <RunBars days={days} className="h-24 w-status" />
      </div>
      {share !== null && (
        <dl className="text-right">
          <dt className="text-12 text-neutral-11">Succeeded</dt>
          <dd className="font-medium text-20 tabular-nums tracking-heading">{percent.format(share)}</dd>
        </dl>
      )}
    </div>
  )
}

const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })

/** Of the runs that succeeded or failed; a stopped run did neither. */
function successShare(days: readonly DayRuns[]): number | null {
  const succeeded = days.reduce((sum, day) => sum + day.succeeded, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed)
}
