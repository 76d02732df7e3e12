import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LoaderCircle, RotateCw, Square, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { conversationRunsQuery } from '../../../api/conversations.ts'
import { useSession } from '../../../api/session.ts'
import { useSeconds } from '../../../state/timers.ts'
import { formatDuration } from '../../amounts.ts'
import { budgetParam, explainBudgetWait } from '../../budget-labels.ts'
import { Button, buttonClass } from '../../button.tsx'
import { describeRunProblem, splitProviderFailure } from '../../run-problem.ts'
import { Time } from '../../time.tsx'
import { toastFailure } from '../../toast.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import type { RunEnd } from '../view/entries.ts'
import { listSteps, type RunView } from '../view/run-view.ts'

export function RunActivity({ run }: { run: RunView }) {
  const { role } = useSession()
  if (run.status === 'waiting' && run.wait?.for === 'retry' && run.wait.failure)
    return <ProviderFailure failure={run.wait.failure} until={run.wait.until} />
  const label = activityOf(run)
  if (!label) return null
  return (
    <p role="status" className="flex items-start gap-8 text-13 text-neutral-11">
      <LoaderCircle aria-hidden className="icon motion-safe:animate-spin" />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {run.wait === null && <Elapsed runId={run.id} />}
        {run.wait?.for === 'budget' && (
          <>
            {' '}
            <Link
              to="/settings/organization/usage"
              search={run.wait.budget ? { budget: budgetParam(run.wait.budget) } : {}}
              className="underline"
            >
              {role === 'member' ? t`Budgets` : t`Raise budget`}
            </Link>
          </>
        )}
      </span>
    </p>
  )
}

interface ProviderFailureProps {
  failure: NonNullable<NonNullable<RunView['wait']>['failure']>
  until: string | null
}

/** The status, the provider's own words, and when the next attempt is. */
function ProviderFailure({ failure, until }: ProviderFailureProps) {
  const { description, status, words } = splitProviderFailure(failure.message)
  const { attempt, attemptsLeft } = failure
  return (
    <div role="status" className="flex gap-8 rounded-control bg-warning-wash px-12 py-8 text-13">
      <TriangleAlert aria-hidden className="icon mt-2 text-warning-mark" />
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <p className="font-medium">
          {description}
          {status && <span className="font-regular text-neutral-11"> · HTTP {status}</span>}
        </p>
        {words && (
          <q className="wrap-anywhere text-neutral-11">
            <bdi>{words}</bdi>
          </q>
        )}
        <p className="text-12 text-neutral-11 tabular-nums">
          {attempt !== undefined && t`Attempt ${attempt} of ${attempt + attemptsLeft} failed. `}
          {until && (
            <>
              Next attempt <Time at={until} isExpected />.
            </>
          )}{' '}
          {attempt === undefined && <AttemptsLeft count={attemptsLeft} />}
        </p>
      </div>
    </div>
  )
}

const AttemptsLeft = ({ count }: { count: number }) => (
  <>{count === 1 ? t`It’s the last one.` : t`${count} attempts left.`}</>
)

const SHOWN_AFTER_MS = 3000

/** In whole seconds. Hidden from screen readers, which would read every change. */
function Elapsed({ runId }: { runId: string }) {
  const { conversation } = useOpenConversation()
  const runs = useQuery(conversationRunsQuery(conversation.id))
  const [seenAt] = useState(() => Date.now())
  const now = useSeconds(true)
  const startedAt = runs.data?.items.find(({ id }) => id === runId)?.startedAt
  const elapsed = now - (startedAt ? Date.parse(startedAt) : seenAt)
  if (elapsed < SHOWN_AFTER_MS) return null
  const seconds = Math.floor(elapsed / 1000)
  return (
    <span aria-hidden title="Since the run started" className="tabular-nums">
      {' '}
      {seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)}
    </span>
  )
}

const WAITS: Record<string, string> = {
  budget: t`A budget is used up. The run waits until it’s raised.`,
  connection: t`The run waits until someone connects an account.`,
  retry: t`The model provider failed.`,
  child: t`The run waits for another agent.`,
}

function activityOf(run: RunView): string | null {
  if (run.status === 'queued') return t`Starting…`
  if (run.status === 'waiting' && run.wait?.budget) return explainBudgetWait(run.wait.budget)
  if (run.status === 'waiting') return WAITS[run.wait?.for ?? ''] ?? null
  const step = listSteps(run).at(-1)
  const attempt = step?.attempts.at(-1)
  if (!step || !attempt || attempt.state !== 'streaming') {
    const isBusy = step?.calls.some(({ state }) => state === 'running' || state === 'approval')
    return isBusy ? null : t`Working…`
  }
  return attempt.parts.length === 0 ? t`Thinking…` : null
}

interface EndedRunProps {
  runId: string
  end: RunEnd
  /** Only a conversation's last run can be retried. */
  isLast: boolean
}

export function EndedRun({ runId, end, isLast }: EndedRunProps) {
  const { conversation, canWrite } = useOpenConversation()
  const { message, next } = describeRunProblem(end)
  const canRetry = isLast && canWrite && conversation.activeRunId === null
  if (end.status === 'canceled')
    return (
      <div className="flex items-center gap-8 text-13 text-neutral-11">
        <Square aria-hidden className="size-12 fill-current" />
        <span>Stopped</span>
        {canRetry && <Retry runId={runId} label="Continue" />}
      </div>
    )
  const { description, status, words } = splitProviderFailure(end.error ?? message)
  return (
    <div
      role={isLast ? 'alert' : undefined}
      className="flex flex-wrap items-start gap-8 rounded-control bg-bad-wash px-12 py-8 text-13"
    >
      <TriangleAlert aria-hidden className="icon mt-2 text-bad-mark" />
      <div className="flex min-w-0 flex-1 basis-filter flex-col gap-4">
        {status === null ? (
          <p className="wrap-anywhere">{`${message} ${next.text}`}</p>
        ) : (
          <>
            <p className="font-medium">
              {description}
              <span className="font-regular text-neutral-11"> · HTTP {status}</span>
            </p>
            {words && (
              <q className="wrap-anywhere text-neutral-11">
                <bdi>{words}</bdi>
              </q>
            )}
            <p>{next.text}</p>
          </>
        )}
      </div>
      {next.page === 'models' && (
        <Link to="/settings/organization/models" className={buttonClass('plain', 'small')}>
          {next.label}
        </Link>
      )}
      {next.page === 'agent' && (
        <Link
          to="/agents/$id"
          params={{ id: conversation.agentId }}
          className={buttonClass('plain', 'small')}
        >
          {next.label}
        </Link>
      )}
      {canRetry && <Retry runId={runId} label="Retry" />}
    </div>
  )
}

/** Keeps the partial answer. */
function Retry({ runId, label }: { runId: string; label: string }) {
  const { open } = useOpenConversation()
  const retry = useMutation({
    mutationFn: () => api.agentRuns.retry({ id: runId }),
    onSuccess: (run) => {
      open.addRun(run.id)
    },
    onError: toastFailure,
  })
  return (
    <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
      {!retry.isPending && <RotateCw aria-hidden className="icon" />}
      {label}
    </Button>
  )
}
