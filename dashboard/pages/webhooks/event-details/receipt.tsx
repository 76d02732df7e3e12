import { Link } from '@tanstack/react-router'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { rejectionLabel, schemeLabel, sourceLabel } from '../webhook-labels.ts'
import type { EventWithDeliveries } from '../webhooks-queries.ts'
import { TimelineStep } from './timeline.tsx'

/** The origin of an event and the result of its signature check. */
export function Receipt({ event }: { event: EventWithDeliveries }) {
  const { direction, receivedAt, source, webhookId, webhookName, verification } = event
  const when = <Time at={receivedAt} />
  if (direction === 'internal') {
    return (
      <TimelineStep meaning="accent" title={webhookId ? 'Test event' : 'Created by Atrium'} aside={when}>
        {webhookId ? 'Sent manually.' : 'Recorded together with the change.'}
      </TimelineStep>
    )
  }
  return (
    <>
      <TimelineStep meaning="accent" title="Received" aside={when}>
        {source === 'custom' ? 'By ' : `From ${sourceLabel(source)}, by `}
        {webhookName && webhookId ? (
          <Link
            to="/webhooks/$id"
            params={{ id: webhookId }}
            className="text-accent-text underline underline-offset-4"
          >
            <Name>{webhookName}</Name>
          </Link>
        ) : (
          'a deleted webhook'
        )}
      </TimelineStep>
      {verification && <Verification verification={verification} />}
    </>
  )
}

function Verification({ verification }: { verification: NonNullable<EventWithDeliveries['verification']> }) {
  const { result, scheme, reason } = verification
  if (result === 'valid') {
    return (
      <TimelineStep meaning="good" title="Verified">
        By {schemeLabel(scheme)}.
      </TimelineStep>
    )
  }
  const { reason: problem, advice } = rejectionLabel(reason)
  return (
    <TimelineStep meaning="bad" title="Rejected">
      <p className="text-neutral-12">{problem}.</p>
      <p>{advice}</p>
    </TimelineStep>
  )
}
