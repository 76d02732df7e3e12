import { t } from '../../../../contract/text.ts'
import type { AgentRun, RunStatus, RunTrigger } from '../../../api/runs.ts'
import { type RunWait, WAIT_LABELS } from '../../../components/run-waits.ts'
import type { Meaning } from '../../../components/status.tsx'

const STATUSES: Record<RunStatus, { label: string; meaning: Meaning }> = {
  queued: { label: t`Queued`, meaning: 'neutral' },
  running: { label: t`Running`, meaning: 'accent' },
  waiting: { label: t`Waiting`, meaning: 'warning' },
  succeeded: { label: t`Succeeded`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
  canceled: { label: t`Canceled`, meaning: 'neutral' },
}

const WAIT_REASONS: Record<RunWait, string> = {
  approval: t`Someone needs to approve or deny a call.`,
  input: t`Someone needs to answer the agent’s question.`,
  budget: t`The run continues once its budget allows another model call.`,
  connection: t`Someone needs to connect an account.`,
  retry: t`The model provider failed. The run will try again.`,
  child: t`The run continues once the runs it started finish.`,
  preview: t`Check the first results, then continue.`,
  form: t`Someone needs to fill in a form.`,
  event: t`The run continues when the event arrives.`,
  time: t`The run continues at the set time.`,
}

/** A workflow works by its blocks' runs: it runs while they do. */
export const shownStatus = ({ kind, status, wait }: StatusParts): RunStatus =>
  kind === 'workflow' && status === 'waiting' && wait?.for === 'child' ? 'running' : status

export function describeRunStatus(run: StatusParts): { label: string; meaning: Meaning } {
  const { wait, cancelRequestedAt } = run
  const status = shownStatus(run)
  if (status === 'waiting' && wait) return { label: WAIT_LABELS[wait.for], meaning: 'warning' }
  if (cancelRequestedAt && (status === 'running' || status === 'queued'))
    return { label: t`Canceling`, meaning: 'neutral' }
  return STATUSES[status]
}

interface StatusParts extends Pick<AgentRun, 'status' | 'cancelRequestedAt'> {
  kind?: AgentRun['kind']
  wait: { for: RunWait } | null
}

export const explainWait = (wait: RunWait) => WAIT_REASONS[wait]

export const STATUS_OPTIONS = Object.entries(STATUSES).map(([value, { label }]) => ({
  value: value as RunStatus,
  label,
}))

export const TRIGGERS: Record<RunTrigger, string> = {
  message: t`Message`,
  provider_event: t`Event`,
  call: t`Phone call`,
  api: t`API`,
  schedule: t`Schedule`,
  block: t`Canvas block`,
}

export const TRIGGER_OPTIONS = Object.entries(TRIGGERS).map(([value, label]) => ({
  value: value as RunTrigger,
  label,
}))

export const TRUSTS: Record<AgentRun['trust'], string> = {
  trusted: t`Trusted: has read only trusted content`,
  verified: t`Verified: follows a sender or another member`,
  untrusted: t`Untrusted: has read untrusted content`,
}

/** Why the run started as verified. */
export const TRUST_REASONS: Record<NonNullable<AgentRun['trustReason']>, string> = {
  agent: t`A member with a lower role last changed the agent.`,
  project_prompt: t`A member with a lower role last changed the project’s instructions.`,
  skill: t`A member with a lower role last changed one of the agent’s skills.`,
  block: t`A member with a lower role last changed the block’s instructions.`,
  message: t`A member with a lower role wrote in the conversation.`,
}

export const runTitle = ({ title }: Pick<AgentRun, 'title'>) => title || t`Untitled run`

/** Until now if the run is active; null before it starts. */
export const runDurationMs = ({ startedAt, finishedAt }: AgentRun, now: number): number | null =>
  startedAt === null ? null : Math.max(0, (finishedAt ? Date.parse(finishedAt) : now) - Date.parse(startedAt))
