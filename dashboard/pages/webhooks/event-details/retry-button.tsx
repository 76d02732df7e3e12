import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { toast } from '../../../components/toast.tsx'
import { useAct } from '../actions/action.ts'
import type { Delivery } from '../webhooks-queries.ts'

interface RetryOneProps {
  eventId: string
  delivery: Pick<Delivery, 'id' | 'status'>
  name: string
}

export function RetryOne({ eventId, delivery: { id, status }, name }: RetryOneProps) {
  return (
    <Retry
      eventId={eventId}
      deliveryId={id}
      label={`Retry the delivery to ${name}`}
      word={status === 'retrying' ? 'Retry now' : 'Retry'}
    />
  )
}

export const RetryAll = ({ eventId }: { eventId: string }) => (
  <Retry eventId={eventId} word="Retry all that failed" />
)

interface RetryProps {
  eventId: string
  deliveryId?: string
  label?: string
  word: string
}

function Retry({ eventId, deliveryId, label, word }: RetryProps) {
  const retry = useAct(
    () => api.webhooks.retryEvent({ eventId, deliveryId }),
    ({ retried }) => toast(retried === 1 ? 'Tried again' : `${retried} deliveries are tried again`),
    toast,
  )
  return (
    <Button size="small" aria-label={label} busy={retry.busy} onClick={retry.run} className="relative">
      {word}
    </Button>
  )
}
