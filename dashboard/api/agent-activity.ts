import { queryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import { api } from './client.ts'

export type Activity = OutputOf<Contract['agents']['activity']>

export const activityQuery = ({ agentId }: { agentId?: string } = {}) =>
  queryOptions({
    queryKey: ['agent-activity', agentId],
    queryFn: ({ signal }) => api.agents.activity({ agentId }, { signal }),
    staleTime: 60_000,
  })

export interface DayRuns {
  day: string
  total: number
  succeeded: number
  failed: number
}

const DAY_MS = 86_400_000

/** Every day of the period, oldest first. */
export function toDays({ from, to, items }: Activity, agentId: string): DayRuns[] {
  const counts = new Map(items.find((item) => item.agentId === agentId)?.days.map((each) => [each.day, each]))
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length }, (_, index) => {
    const day = new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10)
    const { succeeded = 0, failed = 0, canceled = 0, active = 0 } = counts.get(day) ?? {}
    return { day, total: succeeded + failed + canceled + active, succeeded, failed }
  })
}
