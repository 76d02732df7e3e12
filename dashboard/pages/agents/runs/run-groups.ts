import { t } from '../../../../contract/text.ts'
import type { AgentRun } from '../../../api/runs.ts'
import { formatDate } from '../../../components/dates.ts'

export interface RunGroup {
  label: string
  runs: AgentRun[]
}

const DAY_MS = 86_400_000

/** By the browser's day, in the order of the list. */
export function groupByDay(runs: readonly AgentRun[], now: number): RunGroup[] {
  const groups: RunGroup[] = []
  for (const run of runs) {
    const label = dayLabel(new Date(run.createdAt), now)
    const last = groups.at(-1)
    if (last?.label === label) last.runs.push(run)
    else groups.push({ label, runs: [run] })
  }
  return groups
}

function dayLabel(at: Date, now: number): string {
  const day = at.toDateString()
  if (day === new Date(now).toDateString()) return t`Today`
  if (day === new Date(now - DAY_MS).toDateString()) return t`Yesterday`
  return formatDate(at, new Date(now))
}

export function startOfToday(now: number): string {
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  return midnight.toISOString()
}
