import { CopyId } from '../../../components/copy.tsx'
import { formatExact } from '../../../components/dates.ts'
import { PanelSection } from '../../../components/layout/panel.tsx'
import { sourceLabel } from '../webhook-labels.ts'
import type { WebhookEventSummary } from '../webhooks-queries.ts'
import { DetailRow } from './detail-row.tsx'
import { EventNames } from './event-names.tsx'

/** An event as members see it. */
export function EventSummary({ event }: { event: WebhookEventSummary }) {
  const { id, direction, source, webhookName, receivedAt } = event
  const origin = direction === 'internal' ? 'Atrium' : (webhookName ?? sourceLabel(source))
  return (
    <>
      <PanelSection title="Identifiers">
        <dl className="flex flex-col gap-8 text-13">
          <EventNames event={event} />
          <DetailRow name="Event ID">
            <CopyId id={id} what="event ID" />
          </DetailRow>
          <DetailRow name="Source">{origin}</DetailRow>
          <DetailRow name="Timestamp">{formatExact(receivedAt)}</DetailRow>
        </dl>
      </PanelSection>
      <PanelSection title="Payload">
        <p className="text-13 text-neutral-11">
          Admins and owners see the payload, the headers and the deliveries of events.
        </p>
      </PanelSection>
    </>
  )
}
