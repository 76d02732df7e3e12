import { Link } from '@tanstack/react-router'
import { Time } from '../../../components/time.tsx'
import { rejectionLabel, schemeLabel, sourceLabel } from '../webhook-labels.ts'
import type { EventWithDeliveries } from '../webhooks-queries.ts'
import { TimelineStep } from './timeline.tsx'

/** How it came here, and whether it was genuine. */
export function Receipt({ story }: { story: EventWithDeliveries }) {
  const { direction, receivedAt, source, webhookId, webhookName, verification } = story
  const when = <Time at={receivedAt} />
  if (direction === 'internal') {
    return (
      <TimelineStep meaning="accent" title={webhookId ? 'Asked for' : 'Happened here'} aside={when}>
        {webhookId ? 'A test that somebody sent by hand.' : 'Written down with the change itself.'}
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
            {webhookName}
          </Link>
        ) : (
          'a webhook that was deleted since'
        )}
      </TimelineStep>
      {verification && <Verdict verification={verification} />}
    </>
  )
}

function Verdict({ verification }: { verification: NonNullable<EventWithDeliveries['verification']> }) {
  const { result, scheme, reason } = verification
  if (result === 'valid') {
    return (
      <TimelineStep meaning="good" title="Verified">
        By {schemeLabel(scheme)}.
      </TimelineStep>
    )
  }
  const { what, advice } = rejectionLabel(reason)
  return (
    <TimelineStep meaning="bad" title="Rejected">
      <p className="text-neutral-12">{what}.</p>
      <p>{advice}</p>
    </TimelineStep>
  )
}
