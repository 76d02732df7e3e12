import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { connectionApi } from '../../../../api/connections/connection-api.ts'
import { type ProviderEvent, refreshEndpoints } from '../../../../api/connections/connector-endpoints.ts'
import { Button } from '../../../../components/button.tsx'
import { Time } from '../../../../components/time.tsx'
import { toastFailure } from '../../../../components/toast.tsx'

type Reply = NonNullable<ProviderEvent['reply']>

/** The state of the reply to an event. */
export function EventReply({ reply, canEdit }: { reply: Reply; canEdit: boolean }) {
  const { id, status, error, sentAt } = reply
  const send = useMutation({
    mutationFn: () => connectionApi.connectorEndpoints.approveReply({ id }),
    onSuccess: refreshEndpoints,
    onError: toastFailure,
  })
  const isUnsent = status === 'failed' || status === 'unknown'
  return (
    <p className="flex flex-wrap items-center gap-x-8 gap-y-4 text-12 text-neutral-11">
      <span className={isUnsent ? 'text-bad-text' : undefined}>
        {LABELS[status]}
        {isUnsent && error && `: ${error}`}
      </span>
      {sentAt && <Time at={sentAt} />}
      {status === 'waiting' && (
        <Link to="/approvals/replies" className="text-accent-text hover:underline">
          Decide
        </Link>
      )}
      {isUnsent && canEdit && (
        <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
          Send again
        </Button>
      )}
    </p>
  )
}

const LABELS: Record<Reply['status'], string> = {
  waiting: 'The reply waits for approval',
  pending: 'The reply is being sent',
  sent: 'Reply sent',
  failed: 'The reply was not sent',
  unknown: 'The reply may have been sent',
  rejected: 'A member rejected the reply',
}
