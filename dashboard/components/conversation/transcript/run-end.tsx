import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw, Square, TriangleAlert } from 'lucide-react'
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
  const { message, next } = problemOf(end)
  const canRetry = isLast && canWrite && conversation.activeRunId === null
  if (end.status === 'canceled')
    return (
      <div className="flex items-center gap-8 text-13 text-neutral-11">
        <Square aria-hidden className="size-12 fill-current" />
        <span>Stopped</span>
        {canRetry && <Retry runId={runId} label="Continue" />}
      </div>
    )
  return (
    <div
      role={isLast ? 'alert' : undefined}
      className="flex flex-wrap items-center gap-8 rounded-control border border-bad-line bg-bad-wash px-12 py-8 text-13"
    >
      <TriangleAlert aria-hidden className="icon text-bad-text" />
      <span className="min-w-0 flex-1 basis-filter wrap-anywhere">{`${message} ${next.text}`}</span>
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

/** Another run of the conversation as it is now, with the part of the answer that there is. */
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
