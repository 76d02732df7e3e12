import { t } from '../../../contract/text.ts'
import { formatDecimal } from '../../components/amounts.ts'
import type { Meaning } from '../../components/status.tsx'
import { eventDescription } from './event-description.ts'
import { isFailing } from './health.ts'
import type { Delivery, Webhook, WebhookEvent } from './webhooks-queries.ts'

interface StatusLabel {
  label: string
  meaning: Meaning
}

export const WEBHOOK_STATUSES: Record<Webhook['status'], StatusLabel> = {
  active: { label: t`Active`, meaning: 'good' },
  paused: { label: t`Paused`, meaning: 'warning' },
  disabled: { label: t`Disabled`, meaning: 'neutral' },
}

/** Manual disables are neutral. Automatic pauses or disables and continuous failures are errors. */
export function webhookStatus(webhook: Webhook): StatusLabel {
  const { status, disabledReason, pausedReason } = webhook
  if (disabledReason) return { label: t`Disabled`, meaning: 'bad' }
  if (pausedReason) return { label: t`Paused`, meaning: 'bad' }
  if (status === 'active' && isFailing(webhook)) return { label: t`Failing`, meaning: 'bad' }
  return WEBHOOK_STATUSES[status]
}

export const EVENT_STATUSES: Record<WebhookEvent['status'], StatusLabel> = {
  received: { label: t`Received`, meaning: 'neutral' },
  retrying: { label: t`Retrying`, meaning: 'warning' },
  delivered: { label: t`Delivered`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
  held: { label: t`Held`, meaning: 'warning' },
  filtered: { label: t`Filtered`, meaning: 'neutral' },
  rejected: { label: t`Rejected`, meaning: 'bad' },
}

/** Atrium events that no webhook delivered are recorded, not received. */
export const STATUS_FILTERS: Record<
  string,
  { label: string; state: string; direction?: WebhookEvent['direction'] }
> = {
  received: { label: t`Received`, state: 'received', direction: 'inbound' },
  recorded: { label: t`Recorded`, state: 'received', direction: 'internal' },
  ...Object.fromEntries(
    Object.entries(EVENT_STATUSES)
      .filter(([state]) => state !== 'received')
      .map(([state, { label }]) => [state, { label, state }]),
  ),
}

/** Internal events are recorded, not received. */
export const eventStatus = ({
  status,
  direction,
}: Pick<WebhookEvent, 'status' | 'direction'>): StatusLabel =>
  status === 'received' && direction === 'internal'
    ? { label: t`Recorded`, meaning: 'neutral' }
    : EVENT_STATUSES[status]

/** Rejected bodies aren't parsed, so their type is unknown. */
export const eventTypeLabel = ({ type, status }: Pick<WebhookEvent, 'type' | 'status'>) =>
  status === 'rejected' ? t`Rejected request` : type

/** What happened, in words. Undefined for a sender's own types and for types of a newer server. */
export const eventSentence = ({
  type,
  status,
  direction,
}: Pick<WebhookEvent, 'type' | 'status' | 'direction'>) =>
  status === 'rejected' || direction === 'inbound' ? undefined : eventDescription(type)

/** A row's or panel's title. */
export const eventTitle = (event: Pick<WebhookEvent, 'type' | 'status' | 'direction'>) =>
  eventSentence(event) ?? eventTypeLabel(event)

/** As its event; what a webhook delivers wasn't rejected. */
export const deliveryTitle = ({
  eventType,
  eventDirection,
}: Pick<Delivery, 'eventType' | 'eventDirection'>) =>
  (eventDirection === 'internal' && eventDescription(eventType)) || eventType

export const DELIVERY_STATUSES: Record<Delivery['status'], StatusLabel> = {
  pending: { label: t`Pending`, meaning: 'info' },
  succeeded: { label: t`Delivered`, meaning: 'good' },
  retrying: { label: t`Retrying`, meaning: 'warning' },
  failed: { label: t`Failed`, meaning: 'bad' },
  held: { label: t`Held`, meaning: 'warning' },
  canceled: { label: t`Canceled`, meaning: 'neutral' },
}

export const SOURCES: Record<string, string> = {
  custom: t`Custom`,
  github: 'GitHub',
  gitlab: 'GitLab',
  linear: 'Linear',
  slack: 'Slack',
  stripe: 'Stripe',
  shopify: 'Shopify',
  jira: 'Jira',
}

export const sourceLabel = (source: string) => (source === 'atrium' ? 'Atrium' : (SOURCES[source] ?? source))

/** Phrased as the object of "verified by". */
const SCHEMES: Record<string, string> = {
  standard: t`a Standard Webhooks signature`,
  github: t`a GitHub signature`,
  stripe: t`a Stripe signature`,
  slack: t`a Slack signature`,
  linear: t`a Linear signature`,
  gitlab: t`a GitLab token or signature`,
  shopify: t`a Shopify signature`,
  jira: t`a Jira signature`,
  elevenlabs: t`an ElevenLabs signature`,
  telegram: t`Telegram’s secret token`,
  generic: t`the X-Webhook-Signature header`,
  secret: t`the secret in a header`,
}

export const schemeLabel = (scheme: string | null) => (scheme ? (SCHEMES[scheme] ?? scheme) : t`no signature`)

interface Rejection {
  reason: string
  advice: string
}

const REJECTIONS: Record<string, Rejection> = {
  missing_signature: {
    reason: t`No signature or secret in the headers`,
    advice: t`Configure the sender to sign its requests or send the secret in the X-Webhook-Secret header.`,
  },
  malformed_signature: {
    reason: t`Malformed signature`,
    advice: t`A signature header is missing or doesn’t match its scheme’s format.`,
  },
  bad_signature: {
    reason: t`The signature doesn’t match: wrong secret or modified body`,
    advice: t`Check that the sender uses this webhook’s secret and signs the raw body. Re-serialized JSON changes the signature.`,
  },
  unaccepted_scheme: {
    reason: t`Signed with a scheme this webhook doesn’t accept`,
    advice: t`A webhook for a known source only accepts that source’s signature.`,
  },
  several_signatures: {
    reason: t`Multiple signature schemes in one request`,
    advice: t`Configure the sender, or the proxy in front, to send only one signature header.`,
  },
  timestamp_skew: {
    reason: t`The timestamp is outside the allowed window`,
    advice: t`Check the sender’s clock. Old requests are rejected to prevent replays.`,
  },
  too_large: {
    reason: t`The body exceeds 256 KB`,
    advice: t`Send a smaller payload, or a link to the data.`,
  },
  too_many_hops: {
    reason: t`Forwarded by too many webhooks`,
    advice: t`These webhooks forward to each other in a loop. Remove one.`,
  },
}

export const rejectionLabel = (reason: string | null): Rejection =>
  REJECTIONS[reason ?? ''] ?? {
    reason: t`Couldn’t verify the signature`,
    advice: t`Check the sender’s secret.`,
  }

const LISTED_MAX = 2

export function eventFilterLabel(events: string[]): string {
  if (events.length === 0 || events.includes('*')) return t`All events`
  return events.length <= LISTED_MAX ? events.join(', ') : t`${events.length} event types`
}

export const formatDuration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${formatDecimal(ms / 1000)} s`)
