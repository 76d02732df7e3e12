import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Status } from '../../../components/status.tsx'
import { ReplayDialog } from '../actions/replay-dialog.tsx'
import { eventSentence, eventStatus, eventTitle } from '../webhook-labels.ts'
import { type EventWithDeliveries, eventQuery } from '../webhooks-queries.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { EventDetails, EventSummary } from './event-details.tsx'
import { Receipt } from './receipt.tsx'
import { RetryAll } from './retry-button.tsx'
import { Timeline, TimelineStep } from './timeline.tsx'

export function EventPanel({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const event = useQuery(eventQuery(eventId))
  const { data, error } = event
  return (
    <Panel
      title={data ? eventTitle(data) : t`Event`}
      note={data && eventSentence(data) && <code className="font-mono">{data.type}</code>}
      subtitle={data && <Status meaning={eventStatus(data).meaning}>{eventStatus(data).label}</Status>}
      onClose={onClose}
    >
      {event.isPending && <SkeletonRows rows={4} />}
      {error && !data && <Failure error={error} onRetry={() => event.refetch()} />}
      {data && !data.deliveries && <EventSummary event={data} />}
      {data?.deliveries && (
        <div key={eventId}>
          <PanelSection title="Timeline">
            <EventTimeline event={data} />
          </PanelSection>
          <EventDetails event={data} />
        </div>
      )}
    </Panel>
  )
}

function EventTimeline({ event }: { event: EventWithDeliveries }) {
  const { deliveries } = event
  return (
    <div className="flex flex-col gap-12">
      <Timeline>
        <Receipt event={event} />
        {deliveries.map((delivery) => (
          <DeliveryDetails key={delivery.id} delivery={delivery} event={event} />
        ))}
        {deliveries.length === 0 && <NotDelivered event={event} />}
      </Timeline>
      <span className="flex flex-wrap gap-8">
        {deliveries.filter(({ status }) => status === 'failed').length > 1 && <RetryAll eventId={event.id} />}
        {event.status !== 'rejected' && <ReplayButton event={event} />}
      </span>
    </div>
  )
}

function ReplayButton({ event: { id, deliveries } }: { event: EventWithDeliveries }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Replay…
      </Button>
      {isOpen && (
        <ReplayDialog eventIds={[id]} webhookId={deliveries[0]?.webhookId} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function NotDelivered({ event: { status, webhookId, webhookName } }: { event: EventWithDeliveries }) {
  if (status === 'rejected') return null
  const name = webhookName ?? t`The webhook`
  if (status === 'filtered') {
    return (
      <TimelineStep meaning="neutral" title="Not delivered">
        <Name>{name}</Name> isn’t subscribed to this event type. Change its event filter to receive it.
      </TimelineStep>
    )
  }
  if (status === 'held') {
    return (
      <TimelineStep meaning="warning" title="Held">
        <Name>{name}</Name> is paused. The event will be delivered when it resumes.
      </TimelineStep>
    )
  }
  return (
    <TimelineStep meaning="neutral" title="Not delivered">
      {webhookId ? (
        <>
          <Name>{name}</Name> has no forwarding URL.
        </>
      ) : (
        t`No webhook is subscribed to this event type.`
      )}
    </TimelineStep>
  )
}
