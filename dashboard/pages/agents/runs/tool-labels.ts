import type { AgentCall } from '../../../api/runs.ts'
import type { Meaning } from '../../../components/status.tsx'

export const CALL_STATES: Record<AgentCall['state'], { label: string; meaning: Meaning }> = {
  pending: { label: 'Pending', meaning: 'neutral' },
  approval: { label: 'Needs approval', meaning: 'warning' },
  running: { label: 'Running', meaning: 'info' },
  waiting: { label: 'Waiting', meaning: 'warning' },
  done: { label: 'Done', meaning: 'good' },
  failed: { label: 'Failed', meaning: 'bad' },
  denied: { label: 'Denied', meaning: 'bad' },
  canceled: { label: 'Canceled', meaning: 'neutral' },
  unknown: { label: 'Result unknown', meaning: 'warning' },
}

export const STEP_STATES: Record<
  'streaming' | 'done' | 'interrupted' | 'failed',
  { label: string; meaning: Meaning }
> = {
  streaming: { label: 'Writing', meaning: 'info' },
  done: { label: 'Done', meaning: 'good' },
  interrupted: { label: 'Interrupted', meaning: 'warning' },
  failed: { label: 'Failed', meaning: 'bad' },
}
