import type { AgentBlockState } from '../../../../contract/canvas/block-fields.ts'
import { t } from '../../../../contract/text.ts'
import { type RunWait, WAIT_LABELS } from '../../../components/run-waits.ts'
import type { Meaning } from '../../../components/status.tsx'
import type { Block } from '../store/items.ts'

type RunStatus = AgentBlockState['status']

export const STATES: Record<RunStatus, { label: string; meaning: Meaning }> = {
  queued: { label: t`Queued`, meaning: 'neutral' },
  running: { label: t`Running`, meaning: 'accent' },
  waiting: { label: t`Waiting`, meaning: 'warning' },
  done: { label: t`Done`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
  canceled: { label: t`Canceled`, meaning: 'neutral' },
  skipped: { label: t`Skipped`, meaning: 'neutral' },
}

/** Null if it hasn't run. */
export function readAgentState({ metadata }: Pick<Block, 'metadata'>): AgentBlockState | null {
  const state = metadata as Partial<AgentBlockState>
  return state.status && state.cost && state.status in STATES ? (state as AgentBlockState) : null
}

export const isActive = (state: AgentBlockState | null) =>
  state !== null && ['queued', 'running', 'waiting'].includes(state.status)

/** An agent is writing right now, not waiting for a person or a worker. */
export const isWorking = (block: Pick<Block, 'type' | 'metadata'>) =>
  block.type === 'agent' && block.metadata.status === 'running'

/** Waits for its turn in a workflow. */
export const isQueued = (block: Pick<Block, 'type' | 'metadata'>) =>
  block.type === 'agent' && block.metadata.status === 'queued'

/** A workflow went another way. */
export const isSkipped = (block: Pick<Block, 'type' | 'metadata'>) =>
  block.type === 'agent' && block.metadata.status === 'skipped'

export const stateLabel = ({ status, waitsFor }: AgentBlockState): string =>
  (status === 'waiting' && WAIT_LABELS[waitsFor as RunWait]) || STATES[status].label

/** Its own run, or its workflow's for a step without one, such as a form. */
export const shownRunId = ({ runId, workflowRunId }: AgentBlockState): string | null => runId ?? workflowRunId

/** Null is the default agent. */
export const readAgentId = ({ metadata }: Pick<Block, 'metadata'>): string | null =>
  typeof metadata.agentId === 'string' ? metadata.agentId : null
