import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw, TriangleAlert } from 'lucide-react'
import { api } from '../../../api/client.ts'
import { Button, buttonClass } from '../../button.tsx'
import { problemOf } from '../../run-problem.ts'
import { toastFailure } from '../../toast.tsx'
import { useOpenConversation } from '../conversation-context.ts'
import type { RunEnd } from '../view/entries.ts'

interface EndedRunProps {
  runId: string
  end: RunEnd
  /** Only the last run of a conversation can be retried. */
  isLast: boolean
}

/** Why a run ended without an answer, and the next action. */
export function EndedRun({ runId, end, isLast }: EndedRunProps) {
  const { conversation, canWrite } = useOpenConversation()
  const isFailed = end.status === 'failed'
  const { message, next } = problemOf(end)
  const canRetry = isLast && canWrite && conversation.activeRunId === null
  return (
    <div
      role={isFailed && isLast ? 'alert' : undefined}
      className={`flex flex-wrap items-center gap-8 rounded-control border px-12 py-8 text-13 ${isFailed ? 'border-bad-line bg-bad-wash' : 'border-neutral-6 text-neutral-11'}`}
    >
      {isFailed && <TriangleAlert aria-hidden className="icon text-bad-text" />}
      <span className="min-w-0 flex-1 basis-filter wrap-anywhere">
        {isFailed ? `${message} ${next.text}` : 'Canceled.'}
      </span>
      {isFailed && next.page === 'models' && (
        <Link to="/settings/organization/models" className={buttonClass('plain', 'small')}>
          {next.label}
        </Link>
      )}
      {isFailed && next.page === 'agent' && (
        <Link
          to="/agents/$id"
          params={{ id: conversation.agentId }}
          className={buttonClass('plain', 'small')}
        >
          {next.label}
        </Link>
      )}
      {canRetry && <Retry runId={runId} />}
    </div>
  )
}

function Retry({ runId }: { runId: string }) {
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
      Retry
    </Button>
  )
}
