import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { Code } from '../../../components/code.tsx'
import { Copy, CopyId } from '../../../components/copy.tsx'
import { formatExact } from '../../../components/dates.ts'
import { PanelSection } from '../../../components/layout/panel.tsx'
import { Name } from '../../../components/name.tsx'
import { sourceLabel } from '../webhook-labels.ts'
import type { EventWithDeliveries, WebhookEventSummary } from '../webhooks-queries.ts'

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
          <DetailRow label="Event ID">
            <CopyId id={id} what="event ID" />
          </DetailRow>
          {externalId && (
            <DetailRow label="Deduplication ID">
              <code className="truncate font-mono text-12">{externalId}</code>
              <Copy value={externalId} what="deduplication ID" />
            </DetailRow>
          )}
          {deliveries.map((delivery) => (
            <DetailRow key={delivery.id} label={t`Delivery to ${delivery.webhookName}`}>
              <CopyId id={delivery.id} what={t`delivery ID for ${delivery.webhookName}`} />
            </DetailRow>
          ))}
          <DetailRow label="Timestamp">{formatExact(receivedAt)}</DetailRow>
        </dl>
      </PanelSection>
    </>
  )
}

/** As members see it. */
export function EventSummary({ event }: { event: WebhookEventSummary }) {
  const { id, direction, source, webhookName, receivedAt } = event
  const origin = direction === 'internal' ? 'Atrium' : (webhookName ?? sourceLabel(source))
  return (
    <>
      <PanelSection title="Identifiers">
        <dl className="flex flex-col gap-8 text-13">
          <EventNames event={event} />
          <DetailRow label="Event ID">
            <CopyId id={id} what="event ID" />
          </DetailRow>
          <DetailRow label="Source">{origin}</DetailRow>
          <DetailRow label="Timestamp">{formatExact(receivedAt)}</DetailRow>
        </dl>
      </PanelSection>
      <PanelSection title="Payload">
        <p className="text-13 text-neutral-11">
          Only admins and owners see event payloads, headers and deliveries.
        </p>
      </PanelSection>
    </>
  )
}

const LABELS = { project: t`Project`, agent: t`Agent`, webhook: t`Webhook`, skill: t`Skill` }

/** Empty if the user may not see them. */
function EventNames({ event: { actor, subject } }: { event: WebhookEventSummary }) {
  return (
    <>
      {actor && (
        <DetailRow label="Actor">
          <Name>{actor.name}</Name>
        </DetailRow>
      )}
      {subject && (
        <DetailRow label={LABELS[subject.type]}>
          <Link to={subject.path} className="truncate text-selection-text underline underline-offset-4">
            <Name>{subject.name}</Name>
          </Link>
        </DetailRow>
      )}
    </>
  )
}

function DetailRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center justify-between gap-16">
      <dt className="max-w-1/2 shrink-0 truncate text-neutral-11">{label}</dt>
      <dd className="flex min-w-0 items-center gap-4 text-right">{children}</dd>
    </div>
  )
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
const { rawJSON } = JSON as unknown as { rawJSON?: (text: string) => object }

/**
 * Formats a received event's original text, since parsing loses digits of large numbers. Without `JSON.rawJSON` it
 * stays unchanged.
 */
export function payloadText({ payload, body }: Pick<EventWithDeliveries, 'payload' | 'body'>): string {
  if (!body) return typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2)
  if (body.encoding === 'base64' || !rawJSON) return body.content
  const keepNumber: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value
  try {
    return JSON.stringify(JSON.parse(body.content, keepNumber), null, 2)
  } catch {
    return body.content
  }
}
