import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { formatExact } from '../../../components/dates.ts'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { rejectionLabel, schemeLabel, sourceLabel } from '../webhook-labels.ts'
import type { EventWithDeliveries } from '../webhooks-queries.ts'
import { TimelineStep } from './timeline.tsx'

export function Receipt({ event }: { event: EventWithDeliveries }) {
  const { direction, receivedAt, source, webhookId, webhookName, verification, repetitions } = event
  const when = <Time at={receivedAt} />
  if (direction === 'internal') {
    return (
      <TimelineStep meaning="accent" title={webhookId ? t`Test event` : t`Created by Atrium`} aside={when}>
        {webhookId ? t`Sent manually.` : t`Recorded with the change.`}
      </TimelineStep>
    )
  }
  return (
    <>
      <TimelineStep meaning="accent" title="Received" aside={when}>
        {source === 'custom' ? t`By ` : t`From ${sourceLabel(source)}, by `}
        {webhookName && webhookId ? (
          <Link
            to="/webhooks/$id"
            params={{ id: webhookId }}
            className="text-selection-text underline underline-offset-4"
          >
            <Name>{webhookName}</Name>
          </Link>
        ) : (
          t`a deleted webhook`
        )}
      </TimelineStep>
      {verification && <Verification verification={verification} />}
      {repetitions.count > 0 && <Repetitions repetitions={repetitions} />}
    </>
  )
}

/** Requests acknowledged as duplicates, latest first. */
function Repetitions({ repetitions }: Pick<EventWithDeliveries, 'repetitions'>) {
  const { count, times } = repetitions
  return (
    <TimelineStep
      meaning="neutral"
      title={count === 1 ? t`Repeated once` : t`Repeated ${count.toLocaleString()} times`}
      aside={<Time at={times.at(-1)!} />}
    >
      <details>
        <summary className="w-fit cursor-pointer underline underline-offset-4">
          Not stored again. Show times
        </summary>
        <ul className="flex flex-col gap-4 pt-4">
          {[...new Set(times)].toReversed().map((time) => (
            <li key={time}>{formatExact(time)}</li>
          ))}
        </ul>
        {count > times.length && <p>Earlier repeats aren’t listed.</p>}
      </details>
    </TimelineStep>
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
