import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { Button } from '../../../components/button.tsx'
import { toast } from '../../../components/toast.tsx'
import { useWebhookMutation } from '../actions/use-webhook-mutation.ts'
import { type Delivery, webhookApi } from '../webhooks-queries.ts'

interface RetryOneProps {
  eventId: string
  delivery: Pick<Delivery, 'id' | 'status'>
  name: string
}

export function RetryOne({ eventId, delivery: { id, status }, name }: RetryOneProps) {
  return (
    <RetryButton eventId={eventId} deliveryId={id} label={textWithNames`Retry delivery to ${name}`}>
      {status === 'retrying' ? t`Retry now` : t`Retry`}
    </RetryButton>
  )
}

export const RetryAll = ({ eventId }: { eventId: string }) => (
  <RetryButton eventId={eventId}>Retry failed deliveries</RetryButton>
)

interface RetryButtonProps {
  eventId: string
  deliveryId?: string
  label?: string
  children: string
}

function RetryButton({ eventId, deliveryId, label, children }: RetryButtonProps) {
  const retry = useWebhookMutation(
    () => webhookApi.webhooks.retryEvent({ eventId, deliveryId }),
    ({ retried }) => toast(retried === 1 ? t`Retry sent` : t`${retried} retries sent`),
    toast,
  )
  return (
    <Button size="small" aria-label={label} busy={retry.busy} onClick={retry.run} className="relative">
      {children}
    </Button>
  )
}
