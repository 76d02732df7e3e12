import { ChevronRight } from 'lucide-react'
import { Code } from '../../../components/code.tsx'
import { Copy, CopyId } from '../../../components/copy.tsx'
import { formatExact } from '../../../components/dates.ts'
import { PanelSection } from '../../../components/layout/panel.tsx'
import type { EventWithDeliveries } from '../webhooks-queries.ts'
import { DetailRow } from './detail-row.tsx'
import { EventNames } from './event-names.tsx'
import { payloadText } from './payload-text.ts'

/** The payload, headers and identifiers of an event. */
export function EventDetails({ event }: { event: EventWithDeliveries }) {
  const { id, externalId, headers, receivedAt, status, deliveries } = event
  const names = Object.keys(headers)
  return (
    <>
      <PanelSection title="Payload">
        {status === 'rejected' ? (
          <p className="text-13 text-neutral-11">Payload not stored: signature invalid</p>
        ) : (
          <Code what="payload" tall>
            {payloadText(event)}
          </Code>
        )}
      </PanelSection>
      {names.length > 0 && (
        <details className="group border-neutral-6 border-b">
          <summary className="flex items-center gap-8 px-16 py-12 text-13 text-neutral-11 hover:text-neutral-12">
            <ChevronRight aria-hidden className="icon transition-transform group-open:rotate-90" />
            Request headers
            <span className="ml-auto text-12">{names.length}</span>
          </summary>
          <div className="px-16 pb-16">
            <Code what="headers">{names.map((name) => `${name}: ${headers[name]}`).join('\n')}</Code>
          </div>
        </details>
      )}
      <PanelSection title="Identifiers">
        <dl className="flex flex-col gap-8 text-13">
          <EventNames event={event} />
          <DetailRow name="Event ID">
            <CopyId id={id} what="event ID" />
          </DetailRow>
          {externalId && (
            <DetailRow name="Recognized by">
              <code className="truncate font-mono text-12">{externalId}</code>
              <Copy value={externalId} what="ID by which repetitions are recognized" />
            </DetailRow>
          )}
          {deliveries.map((delivery) => (
            <DetailRow key={delivery.id} name={`Delivery to ${delivery.webhookName}`}>
              <CopyId id={delivery.id} what={`ID of delivery to ${delivery.webhookName}`} />
            </DetailRow>
          ))}
          <DetailRow name="Timestamp">{formatExact(receivedAt)}</DetailRow>
        </dl>
      </PanelSection>
    </>
  )
}
