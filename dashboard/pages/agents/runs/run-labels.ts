import type { AgentRun, RunStatus, RunTrigger } from '../../../api/runs.ts'
import { type RunWait, WAIT_LABELS } from '../../../components/run-waits.ts'
import type { Meaning } from '../../../components/status.tsx'

const STATUSES: Record<RunStatus, { label: string; meaning: Meaning }> = {
  queued: { label: 'Queued', meaning: 'neutral' },
  running: { label: 'Running', meaning: 'info' },
  waiting: { label: 'Waiting', meaning: 'warning' },
  succeeded: { label: 'Succeeded', meaning: 'good' },
  failed: { label: 'Failed', meaning: 'bad' },
  canceled: { label: 'Canceled', meaning: 'neutral' },
}

const WAIT_REASONS: Record<RunWait, string> = {
  approval: 'A person has to approve or deny a call.',
  input: 'A person has to answer a question from the agent.',
  budget: 'The run continues when its budget allows the next model call.',
  connection: 'A person has to connect an account.',
  retry: 'The model provider failed. The run retries the call.',
  child: 'The run continues when the runs that it started are finished.',
}

/** The status of a run; for a waiting run with the reason. */
export function statusOf({ status, wait, cancelRequestedAt }: StatusParts): {
  label: string
  meaning: Meaning
} {
  if (status === 'waiting' && wait) return { label: WAIT_LABELS[wait.for], meaning: 'warning' }
  if (cancelRequestedAt && (status === 'running' || status === 'queued'))
    return { label: 'Canceling', meaning: 'neutral' }
  return STATUSES[status]
}

interface StatusParts extends Pick<AgentRun, 'status' | 'cancelRequestedAt'> {
  wait: { for: RunWait } | null
}

export const explainWait = (wait: RunWait) => WAIT_REASONS[wait]

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
  verified: 'Verified: follows a sender or another member',
  untrusted: 'Untrusted: has read content from outside',
}

/** Why the run started as verified. */
export const TRUST_REASONS: Record<NonNullable<AgentRun['trustReason']>, string> = {
  agent: 'A member with a lower role last changed the agent.',
  project_prompt: 'A member with a lower role last changed the project’s instructions.',
  skill: 'A member with a lower role last changed one of the agent’s skills.',
  block: 'A member with a lower role last changed the block’s instructions.',
  message: 'A member with a lower role wrote in the conversation.',
}

export const titleOf = ({ title }: Pick<AgentRun, 'title'>) => title || 'Run without a title'

/** The time from the start of a run to its end, or until now; null before its start. */
export const durationOf = ({ startedAt, finishedAt }: AgentRun, now: number): number | null =>
  startedAt === null ? null : Math.max(0, (finishedAt ? Date.parse(finishedAt) : now) - Date.parse(startedAt))
