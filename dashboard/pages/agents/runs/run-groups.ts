import type { AgentRun } from '../../../api/runs.ts'
import { dayLabel } from '../../../components/dates.ts'

export interface RunGroup {
  label: string
  runs: AgentRun[]
}

/** By the browser's day, in the order of the list. */
export function groupByDay(runs: readonly AgentRun[], now: number): RunGroup[] {
  const groups: RunGroup[] = []
  for (const run of runs) {
    const label = dayLabel(new Date(run.createdAt), new Date(now))
    const last = groups.at(-1)
    if (last?.label === label) last.runs.push(run)
    else groups.push({ label, runs: [run] })
  }
  return groups
}

export function startOfToday(now: number): string {
  const midnight = new Date(now)
  midnight.setHours(0, 0, 0, 0)
  return midnight.toISOString()
}
