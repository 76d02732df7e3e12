import type { AgentRun, RunStatus, RunTrigger } from '../../api/runs.ts'
import type { Meaning } from '../../components/status.tsx'

const STATUSES: Record<RunStatus, { label: string; meaning: Meaning }> = {
  queued: { label: 'Queued', meaning: 'neutral' },
  running: { label: 'Running', meaning: 'info' },
  waiting: { label: 'Waiting', meaning: 'warning' },
  succeeded: { label: 'Succeeded', meaning: 'good' },
  failed: { label: 'Failed', meaning: 'bad' },
  canceled: { label: 'Canceled', meaning: 'neutral' },
}

type Wait = NonNullable<AgentRun['wait']>['for']

const WAITS: Record<Wait, { label: string; meaning: string }> = {
  approval: { label: 'Needs approval', meaning: 'A person has to approve or deny a call.' },
  input: { label: 'Asks a question', meaning: 'A person has to answer a question of the agent.' },
  budget: { label: 'Budget reached', meaning: 'The run goes on when its budget allows the next model call.' },
  connection: { label: 'Needs a connection', meaning: 'A person has to connect an account.' },
  retry: {
    label: 'Provider failed',
    meaning: 'The provider of the model did not respond. The run tries again.',
  },
  child: { label: 'Waits for an agent', meaning: 'The run goes on when the agent that it called is done.' },
}

/** The status of a run; a waiting run says what it waits for. */
export function statusOf({ status, wait, cancelRequestedAt }: StatusParts): {
  label: string
  meaning: Meaning
} {
  if (status === 'waiting' && wait) return { label: WAITS[wait.for].label, meaning: 'warning' }
  if (cancelRequestedAt && (status === 'running' || status === 'queued'))
    return { label: 'Canceling', meaning: 'neutral' }
  return STATUSES[status]
}

type StatusParts = Pick<AgentRun, 'status' | 'wait' | 'cancelRequestedAt'>

export const waitMeaning = (wait: Wait) => WAITS[wait].meaning

export const STATUS_OPTIONS = Object.entries(STATUSES).map(([value, { label }]) => ({
  value: value as RunStatus,
  label,
}))

export const TRIGGERS: Record<RunTrigger, string> = {
  message: 'Message',
  provider_event: 'Event',
  call: 'Phone call',
  api: 'API',
  schedule: 'Schedule',
  block: 'Canvas block',
}

export const TRIGGER_OPTIONS = Object.entries(TRIGGERS).map(([value, label]) => ({
  value: value as RunTrigger,
  label,
}))

export const TRUSTS: Record<AgentRun['trust'], string> = {
  trusted: 'Trusted: has read nothing from outside',
  verified: 'Verified: started by a signed event',
  untrusted: 'Not trusted: has read content from outside',
}

export const titleOf = ({ title }: Pick<AgentRun, 'title'>) => title || 'Run without a title'

/** The time from its start to its end, or until now. */
export const durationOf = ({ startedAt, finishedAt }: AgentRun, now: number): number | null =>
  startedAt === null ? null : Math.max(0, (finishedAt ? Date.parse(finishedAt) : now) - Date.parse(startedAt))
