import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { DELIVERY_STATUSES } from '../webhook-labels.ts'
import type { EventWithDeliveries } from '../webhooks-queries.ts'
import { AttemptDetails } from './attempt-details.tsx'
import { RetryOne } from './retry-button.tsx'
import { TimelineStep } from './timeline.tsx'

type DeliveryOfEvent = EventWithDeliveries['deliveries'][number]

const RETRYABLE: DeliveryOfEvent['status'][] = ['failed', 'canceled', 'retrying']

interface DeliveryDetailsProps {
  delivery: DeliveryOfEvent
  event: EventWithDeliveries
}

export function DeliveryDetails({ delivery, event }: DeliveryDetailsProps) {
  const { status, webhookId, webhookName, url, attempts } = delivery
  const { label, meaning } = DELIVERY_STATUSES[status]
  return (
    <TimelineStep
      meaning={meaning}
      title={
        <>
          {label}
          {delivery.trigger === 'replay' && ` (${t`replay`})`} ·{' '}
          <Link
            to="/webhooks/$id"
            params={{ id: webhookId }}
            className="text-selection-text underline underline-offset-4"
          >
            <Name>{webhookName}</Name>
          </Link>
        </>
      }
      aside={
        RETRYABLE.includes(status) && <RetryOne eventId={event.id} delivery={delivery} name={webhookName} />
      }
    >
      <code className="block truncate font-mono text-12" title={url}>
        {url}
      </code>
      <NextStep delivery={delivery} />
      {attempts.length > 0 && (
        <ol aria-label={textWithNames`Delivery attempts to ${webhookName}`} className="mt-8 flex flex-col">
          {attempts.map((attempt, index) => (
            <AttemptDetails
              key={attempt.attempt}
              attempt={attempt}
              event={event}
              defaultOpen={index === attempts.length - 1 && attempt.error !== null}
            />
          ))}
        </ol>
      )}
    </TimelineStep>
  )
}

function NextStep({ delivery: { status, nextAttemptAt, attempt } }: { delivery: DeliveryOfEvent }) {
  if (status === 'retrying' && nextAttemptAt) {
    return (
      <p>
        Next attempt ({attempt + 1}) <Time at={nextAttemptAt} isExpected />
      </p>
    )
  }
  if (status === 'held') return <p>Will be sent when the webhook resumes.</p>
  if (status === 'canceled') return <p>Canceled because the webhook was disabled or has no forwarding URL.</p>
  if (status === 'failed') return <p>All attempts failed. Retry to send it again.</p>
  return null
}
