import { t } from '../../../../contract/text.ts'
import type { RunFilter } from '../../../api/runs.ts'
import { textParams } from '../../../state/text-params.ts'
import { STATUS_OPTIONS, TRIGGER_OPTIONS } from './run-labels.ts'

export const parseRunsSearch = (search: Record<string, unknown>) =>
  textParams(search, 'state', 'trigger', 'project', 'agent', 'schedule', 'since', 'run')

export type RunsSearch = ReturnType<typeof parseRunsSearch>

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Drops values the API would refuse, from an edited URL. */
export const toRunFilter = (
  { state, trigger, project, agent, schedule, since }: RunsSearch,
  now: number,
): RunFilter => ({
  status: STATUS_OPTIONS.find(({ value }) => value === state)?.value,
  trigger: TRIGGER_OPTIONS.find(({ value }) => value === trigger)?.value,
  projectId: project,
  agentId: idOf(agent),
  scheduleId: idOf(schedule),
  since: sinceOf(since, now),
})

const idOf = (text: string | undefined) => (text !== undefined && ID.test(text) ? text : undefined)

const HOUR_MS = 3_600_000

const HOURS = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const

export const SINCE_OPTIONS = [
  { value: '24h', label: t`Last 24 hours` },
  { value: '7d', label: t`Last 7 days` },
  { value: '30d', label: t`Last 30 days` },
] as const

const sinceOf = (text: string | undefined, now: number) => {
  const option = SINCE_OPTIONS.find(({ value }) => value === text)
  return option && new Date(now - HOURS[option.value] * HOUR_MS).toISOString()
}
