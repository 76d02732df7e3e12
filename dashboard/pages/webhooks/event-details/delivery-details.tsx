import { Link } from '@tanstack/react-router'
import { Time } from '../../../components/time.tsx'
import { DELIVERY_STATUSES } from '../webhook-labels.ts'
import type { EventWithDeliveries } from '../webhooks-queries.ts'
import { AttemptDetails } from './attempt-details.tsx'
import { RetryOne } from './retry-button.tsx'
import { TimelineStep } from './timeline.tsx'

type DeliveryOfEvent = EventWithDeliveries['deliveries'][number]

const RETRYABLE: DeliveryOfEvent['status'][] = ['failed', 'canceled', 'retrying']

/** One address, and every attempt at reaching it. */
export function DeliveryDetails({
  delivery,
  story,
}: {
  delivery: DeliveryOfEvent
  story: EventWithDeliveries
}) {
  const { status, webhookId, webhookName, url, attempts } = delivery
  const { label, meaning } = DELIVERY_STATUSES[status]
  return (
    <TimelineStep
      meaning={meaning}
      title={
        <>
          {label} ·{' '}
          <Link
            to="/webhooks/$id"
            params={{ id: webhookId }}
            className="text-accent-text underline underline-offset-4"
          >
            {webhookName}
          </Link>
        </>
      }
      aside={
        RETRYABLE.includes(status) && <RetryOne eventId={story.id} delivery={delivery} name={webhookName} />
      }
    >
      <code className="block truncate font-mono text-12" title={url}>
        {url}
      </code>
      <WhatNext delivery={delivery} />
      {attempts.length > 0 && (
        <ol aria-label={`Attempts for ${webhookName}`} className="mt-8 flex flex-col">
          {attempts.map((attempt, index) => (
            <AttemptDetails
              key={attempt.attempt}
              attempt={attempt}
              story={story}
              defaultOpen={index === attempts.length - 1 && attempt.error !== null}
            />
          ))}
        </ol>
      )}
    </TimelineStep>
  )
}

function WhatNext({ delivery: { status, nextAttemptAt, attempt } }: { delivery: DeliveryOfEvent }) {
  if (status === 'retrying' && nextAttemptAt) {
    return (
      <p>
        Attempt {attempt + 1} <Time at={nextAttemptAt} />
      </p>
    )
  }
  if (status === 'held') return <p>It goes out when the webhook is resumed.</p>
  if (status === 'canceled') return <p>Called off when the webhook was disabled or lost its address.</p>
  if (status === 'failed') return <p>Given up. It can be tried once more by hand.</p>
  return null
}
