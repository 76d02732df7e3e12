import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../../../../../contract/text.ts'
import {
  type ConnectorEndpoint,
  connectionApi,
  endpointEventsQuery,
  type ProviderEvent,
  refreshEndpoints,
} from '../../../../api/connections.ts'
import { Button } from '../../../../components/button.tsx'
import { Name } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { toastFailure } from '../../../../components/toast.tsx'
import { EventState, eventKind, eventReason } from './endpoint-labels.tsx'

export function EventList({ endpoint }: { endpoint: ConnectorEndpoint }) {
  const events = useInfiniteQuery(endpointEventsQuery(endpoint.id))
  const items = events.data?.pages.flatMap((page) => page.items) ?? []
  if (events.data && items.length === 0)
    return <p className="text-13 text-neutral-11">The provider hasn’t sent any events yet.</p>
  return (
    <>
      <ul aria-label="Events" className="border-neutral-6 border-t">
        {items.map((event) => (
          <EventRow key={event.id} event={event} canEdit={endpoint.canEdit} />
        ))}
      </ul>
      {events.hasNextPage && (
        <Button
          look="quiet"
          size="small"
          className="mt-8"
          busy={events.isFetchingNextPage}
          onClick={() => events.fetchNextPage()}
        >
          Show older events
        </Button>
      )}
    </>
  )
}

function EventRow({ event, canEdit }: { event: ProviderEvent; canEdit: boolean }) {
  const { id, endpointId, status, error, record, duplicates, runId, sessionId, receivedAt } = event
  const retry = useMutation({
    mutationFn: () => connectionApi.connectorEndpoints.retryEvent({ id: endpointId, eventId: id }),
    onSuccess: refreshEndpoints,
    onError: toastFailure,
  })
  const problem = error ?? eventReason(event)
  return (
    <li className="flex flex-col gap-4 border-neutral-6 border-b py-8 text-13">
      <div className="flex items-center gap-8">
        <span className="min-w-0 flex-1 truncate font-mono text-12">{eventKind(event)}</span>
        <EventState status={status} />
      </div>
      {record?.text && (
        <p className="line-clamp-2">
          {record.actor.name && (
            <span className="text-neutral-11">
              <Name>{record.actor.name}</Name>:{' '}
            </span>
          )}
          {record.text}
        </p>
      )}
      {problem && <p className={`text-12 ${error ? 'text-bad-text' : 'text-neutral-11'}`}>{problem}</p>}
      {event.reply && <EventReply reply={event.reply} canEdit={canEdit} />}
      <p className="flex flex-wrap items-center gap-x-12 gap-y-4 text-12 text-neutral-11">
        <Time at={receivedAt} />
        {duplicates > 0 && <span>sent again {duplicates === 1 ? t`once` : t`${duplicates} times`}</span>}
        {runId && (
          <Link to="/runs/$runId" params={{ runId }} className="text-selection-text hover:underline">
            Run
          </Link>
        )}
        {sessionId && (
          <Link to="/chat/$sessionId" params={{ sessionId }} className="text-selection-text hover:underline">
            Conversation
          </Link>
        )}
        {status === 'failed' && canEdit && (
          <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
            Retry
          </Button>
        )}
      </p>
    </li>
  )
}

type Reply = NonNullable<ProviderEvent['reply']>

function EventReply({ reply, canEdit }: { reply: Reply; canEdit: boolean }) {
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
        <Link to="/approvals/replies" className="text-selection-text hover:underline">
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
  waiting: t`Reply waiting for approval`,
  pending: t`Sending reply`,
  sent: t`Reply sent`,
  failed: t`Reply not sent`,
  unknown: t`Reply may have been sent`,
  rejected: t`Reply rejected by a member`,
}
