import type { AgentRun } from '../api/runs.ts'

export type RunWait = NonNullable<AgentRun['wait']>['for']

/** Why a run waits, as a status label. */
export const WAIT_LABELS: Record<RunWait, string> = {
  approval: 'Needs approval',
  input: 'Asks a question',
  budget: 'Budget reached',
  connection: 'Needs a connection',
  retry: 'Waits to retry',
  child: 'Waits for another run',
}
