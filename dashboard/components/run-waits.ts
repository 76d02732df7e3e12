import { t } from '../../contract/text.ts'
import type { AgentRun } from '../api/runs.ts'

export type RunWait = NonNullable<AgentRun['wait']>['for']

export const WAIT_LABELS: Record<RunWait, string> = {
  approval: t`Needs approval`,
  input: t`Asks a question`,
  budget: t`Budget reached`,
  connection: t`Needs a connection`,
  retry: t`Waits to retry`,
  child: t`Waits for another run`,
}
