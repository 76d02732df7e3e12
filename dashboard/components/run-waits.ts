import { t } from '../../contract/text.ts'
import type { AgentRun } from '../api/runs.ts'

export type RunWait = NonNullable<AgentRun['wait']>['for']

export const WAIT_LABELS: Record<RunWait, string> = {
  approval: t`Needs approval`,
  input: t`Has a question`,
  budget: t`Budget reached`,
  connection: t`Needs a connection`,
  retry: t`Waiting to retry`,
  child: t`Waiting for another run`,
  preview: t`Preview is ready`,
  form: t`Waiting for an answer`,
  event: t`Waiting for an event`,
  time: t`Waiting for a time`,
}
