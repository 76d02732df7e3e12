import type { AgentBlockState } from '../../../../../contract/canvas/block-fields.ts'
import type { Meaning } from '../../../../components/status.tsx'
import type { Block } from '../../store/items.ts'

type RunStatus = AgentBlockState['status']

export const STATES: Record<RunStatus, { label: string; meaning: Meaning }> = {
  queued: { label: 'Queued', meaning: 'neutral' },
  running: { label: 'Running', meaning: 'info' },
  waiting: { label: 'Waiting', meaning: 'warning' },
  done: { label: 'Done', meaning: 'good' },
  failed: { label: 'Failed', meaning: 'bad' },
  canceled: { label: 'Stopped', meaning: 'neutral' },
}

const WAITS: Record<string, string> = {
  approval: 'Waiting for approval',
  input: 'Waiting for an answer',
  budget: 'Waiting for a budget',
  connection: 'Waiting for a connection',
  child: 'Waiting for another run',
}

/** The last run of an agent block; null if it has not run. */
export function agentStateOf({ metadata }: Pick<Block, 'metadata'>): AgentBlockState | null {
  const state = metadata as Partial<AgentBlockState>
  return typeof state.runId === 'string' && state.status && state.status in STATES
    ? (state as AgentBlockState)
    : null
}

export const isActive = (state: AgentBlockState | null) =>
  state !== null && ['queued', 'running', 'waiting'].includes(state.status)

export const stateLabel = ({ status, waitsFor }: AgentBlockState): string =>
  (status === 'waiting' && WAITS[waitsFor ?? '']) || STATES[status].label

/** The agent that the block names; null is the default agent. */
export const agentIdOf = ({ metadata }: Pick<Block, 'metadata'>): string | null =>
  typeof metadata.agentId === 'string' ? metadata.agentId : null
