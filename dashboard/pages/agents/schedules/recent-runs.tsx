import { useQuery } from '@tanstack/react-query'
import { LOCALE, t } from '../../../../contract/text.ts'
import { type AgentRun, isActive, type RunStatus, scheduledRunsQuery } from '../../../api/runs.ts'
import { formatDuration } from '../../../components/amounts.ts'
import { formatMoment } from '../../../components/dates.ts'
import { describeRunStatus } from '../runs/run-labels.ts'

const SHOWN_MAX = 12

/** The newest runs of all schedules, by schedule. A schedule that ran long ago has none. */
export function useRecentRuns(): ReadonlyMap<string, readonly AgentRun[]> {
  const { data } = useQuery(scheduledRunsQuery)
  return Map.groupBy(data?.items ?? [], ({ scheduleId }) => scheduleId ?? '')
}

const COLORS: Record<RunStatus, string> = {
  queued: 'bg-neutral-7',
  running: 'bg-accent-mark',
  waiting: 'bg-warning-mark',
  succeeded: 'bg-neutral-8',
  failed: 'bg-bad-mark',
  canceled: 'bg-neutral-6',
}

const HEIGHT_PX = 20
const HEIGHT_PX_MIN = 4

/** A bar per run, as high as it took long; oldest first. */
export function RecentRuns({ runs }: { runs: readonly AgentRun[] }) {
  const shown = runs.slice(0, SHOWN_MAX).toReversed()
  if (shown.length === 0) return <span className="text-neutral-11">–</span>
  const durations = shown.map(durationMs)
  const longest = Math.max(...durations, 1)
  const failed = shown.filter(({ status }) => status === 'failed').length
  const label =
    failed === 0
      ? t`Last ${shown.length.toLocaleString(LOCALE)} runs, none failed`
      : t`Last ${shown.length.toLocaleString(LOCALE)} runs, ${failed.toLocaleString(LOCALE)} failed`
  return (
    <span role="img" aria-label={label} className="flex items-end gap-2" style={{ height: HEIGHT_PX }}>
      {shown.map((run, index) => (
        <span
          key={run.id}
          title={`${formatMoment(run.createdAt)}: ${describeRunStatus(run).label}, ${formatDuration(durations[index]!)}`}
          className={`w-4 rounded-[1px] ${COLORS[run.status]}`}
          style={{ height: Math.max(HEIGHT_PX_MIN, (durations[index]! / longest) * HEIGHT_PX) }}
        />
      ))}
    </span>
  )
}

const durationMs = (run: AgentRun) =>
  run.startedAt === null || isActive(run)
    ? 0
    : Date.parse(run.finishedAt ?? run.startedAt) - Date.parse(run.startedAt)
