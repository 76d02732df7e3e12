import type { RunFilter } from '../../../api/runs.ts'
import { textParams } from '../../../state/text-params.ts'
import { STATUS_OPTIONS, TRIGGER_OPTIONS } from './run-labels.ts'

export const parseRunsSearch = (search: Record<string, unknown>) =>
  textParams(search, 'state', 'trigger', 'project', 'agent', 'schedule')

export type RunsSearch = ReturnType<typeof parseRunsSearch>

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Drops values the API would refuse, from an edited URL. */
export const toRunFilter = ({ state, trigger, project, agent, schedule }: RunsSearch): RunFilter => ({
  status: STATUS_OPTIONS.find(({ value }) => value === state)?.value,
  trigger: TRIGGER_OPTIONS.find(({ value }) => value === trigger)?.value,
  projectId: project,
  agentId: idOf(agent),
  scheduleId: idOf(schedule),
})

const idOf = (text: string | undefined) => (text !== undefined && ID.test(text) ? text : undefined)
