import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { eventStatus, eventTypeLabel } from '../webhook-labels.ts'
import { type EventWithDeliveries, eventQuery } from '../webhooks-queries.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { EventDetails } from './event-details.tsx'
import { Receipt } from './receipt.tsx'
import { RetryAll } from './retry-button.tsx'
import { Timeline, TimelineStep } from './timeline.tsx'

/** One event from its receipt over the verdict to every attempt at delivering it. */
export function EventPanel({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const story = useQuery(eventQuery(eventId))
  const { data, error } = story
  return (
    <Panel
      title={data ? eventTypeLabel(data) : 'Event'}
      subtitle={data && <Status meaning={eventStatus(data).meaning}>{eventStatus(data).label}</Status>}
      onClose={onClose}
    >
      {story.isPending && <SkeletonRows rows={4} />}
      {error && !data && <Failure error={error} onRetry={() => story.refetch()} />}
      {data && (
        <div key={eventId}>
          <PanelSection title="What became of it">
            <Story story={data} />
          </PanelSection>
          <EventDetails story={data} />
        </div>
      )}
    </Panel>
  )
}

function Story({ story }: { story: EventWithDeliveries }) {
  const { deliveries } = story
  return (
    <div className="flex flex-col gap-12">
      <Timeline>
        <Receipt story={story} />
        {deliveries.map((delivery) => (
          <DeliveryDetails key={delivery.id} delivery={delivery} story={story} />
        ))}
        {deliveries.length === 0 && <NotSent story={story} />}
      </Timeline>
      {deliveries.filter(({ status }) => status === 'failed').length > 1 && <RetryAll eventId={story.id} />}
    </div>
  )
}

function NotSent({ story: { status, webhookId, webhookName } }: { story: EventWithDeliveries }) {
  if (status === 'rejected') return null
  const name = webhookName ?? 'The webhook'
  if (status === 'filtered') {
    return (
      <TimelineStep meaning="neutral" title="Not sent on">
        {name} wants other types of events. Change its allowlist if this one should pass.
      </TimelineStep>
    )
  }
  if (status === 'held') {
    return (
      <TimelineStep meaning="warning" title="Held">
        {name} was paused when it came. It goes on when it is resumed.
      </TimelineStep>
    )
  }
  return (
    <TimelineStep meaning="neutral" title="Not sent on">
      {webhookId ? `${name} sends nothing on.` : 'No webhook asks for this type of event.'}
    </TimelineStep>
  )
}
