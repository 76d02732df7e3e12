import { formatDecimal } from '../../components/amounts.ts'
import type { Meaning } from '../../components/status.tsx'
import { isFailing } from './health.ts'
import type { Delivery, Webhook, WebhookEvent } from './webhooks-queries.ts'

interface StatusLabel {
  label: string
  meaning: Meaning
}

export const WEBHOOK_STATUSES: Record<Webhook['status'], StatusLabel> = {
  active: { label: 'Active', meaning: 'good' },
  paused: { label: 'Paused', meaning: 'warning' },
  disabled: { label: 'Disabled', meaning: 'neutral' },
}

/** A manual disable is neutral; an automatic pause or disable and continuous failures are errors. */
export function webhookStatus(webhook: Webhook): StatusLabel {
  const { status, disabledReason, pausedReason } = webhook
  if (disabledReason) return { label: 'Disabled', meaning: 'bad' }
  if (pausedReason) return { label: 'Paused', meaning: 'bad' }
  if (status === 'active' && isFailing(webhook)) return { label: 'Failing', meaning: 'bad' }
  return WEBHOOK_STATUSES[status]
}

export const EVENT_STATUSES: Record<WebhookEvent['status'], StatusLabel> = {
  received: { label: 'Received', meaning: 'neutral' },
  retrying: { label: 'Retrying', meaning: 'warning' },
  delivered: { label: 'Delivered', meaning: 'good' },
  failed: { label: 'Failed', meaning: 'bad' },
  held: { label: 'Held', meaning: 'warning' },
  filtered: { label: 'Filtered', meaning: 'neutral' },
  rejected: { label: 'Rejected', meaning: 'bad' },
}

/** The statuses to filter by: an Atrium event that no webhook has delivered is recorded, not received. */
export const STATUS_FILTERS: Record<
  string,
  { label: string; state: string; direction?: WebhookEvent['direction'] }
> = {
  received: { label: 'Received', state: 'received', direction: 'inbound' },
  recorded: { label: 'Recorded', state: 'received', direction: 'internal' },
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
    ? { label: 'Recorded', meaning: 'neutral' }
    : EVENT_STATUSES[status]

/** The body of a rejected request is not parsed, so its type is unknown. */
export const eventTypeLabel = ({ type, status }: Pick<WebhookEvent, 'type' | 'status'>) =>
  status === 'rejected' ? 'Rejected request' : type

export const DELIVERY_STATUSES: Record<Delivery['status'], StatusLabel> = {
  pending: { label: 'Pending', meaning: 'info' },
  succeeded: { label: 'Delivered', meaning: 'good' },
  retrying: { label: 'Retrying', meaning: 'warning' },
  failed: { label: 'Failed', meaning: 'bad' },
  held: { label: 'Held', meaning: 'warning' },
  canceled: { label: 'Canceled', meaning: 'neutral' },
}

export const SOURCES: Record<string, string> = {
  custom: 'Custom',
  github: 'GitHub',
  gitlab: 'GitLab',
  linear: 'Linear',
  slack: 'Slack',
  stripe: 'Stripe',
  shopify: 'Shopify',
  jira: 'Jira',
}

export const sourceLabel = (source: string) => (source === 'atrium' ? 'Atrium' : (SOURCES[source] ?? source))

/** The signature schemes, as the object of "verified by". */
const SCHEMES: Record<string, string> = {
  standard: 'a Standard Webhooks signature',
  github: 'a GitHub signature',
  stripe: 'a Stripe signature',
  slack: 'a Slack signature',
  linear: 'a Linear signature',
  gitlab: 'a GitLab token or signature',
  shopify: 'a Shopify signature',
  jira: 'a Jira signature',
  elevenlabs: 'an ElevenLabs signature',
  telegram: 'the secret token of Telegram',
  generic: 'the X-Webhook-Signature header',
  secret: 'the secret in a header',
}

export const schemeLabel = (scheme: string | null) => (scheme ? (SCHEMES[scheme] ?? scheme) : 'no signature')

interface Rejection {
  reason: string
  advice: string
}

const REJECTIONS: Record<string, Rejection> = {
  missing_signature: {
    reason: 'No signature and no secret in the headers',
    advice:
      'Configure the sender to sign its requests, or to send the secret in the X-Webhook-Secret header.',
  },
  malformed_signature: {
    reason: 'Malformed signature',
    advice: 'A signature header is missing or does not match the format of its scheme.',
  },
  bad_signature: {
    reason: 'The signature does not match: wrong secret or modified body',
    advice:
      'Check that the sender uses the secret of this webhook and signs the raw body. Re-serialized JSON changes the signature.',
  },
  unaccepted_scheme: {
    reason: 'Signed by a scheme that this webhook does not accept',
    advice: 'A webhook of a known source accepts the signature of that source only.',
  },
  several_signatures: {
    reason: 'Signatures of several schemes in one request',
    advice: 'Configure the sender, or the proxy in front, to send one signature header.',
  },
  timestamp_skew: {
    reason: 'The timestamp is outside the allowed window',
    advice: 'Check the clock of the sender. Old requests are rejected to prevent replays.',
  },
  too_large: { reason: 'The body exceeds 256 KB', advice: 'Send a smaller payload, or a link to the data.' },
  too_many_hops: {
    reason: 'Forwarded by too many webhooks',
    advice: 'These webhooks forward to one another in a cycle. Remove one of them.',
  },
}

export const rejectionLabel = (reason: string | null): Rejection =>
  REJECTIONS[reason ?? ''] ?? {
    reason: 'The signature could not be verified',
    advice: 'Check the secret of the sender.',
  }

const LISTED_MAX = 2

/** A short summary of the event filter. */
export function eventFilterLabel(events: string[]): string {
  if (events.length === 0 || events.includes('*')) return 'All events'
  return events.length <= LISTED_MAX ? events.join(', ') : `${events.length} event types`
}

export const formatDuration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${formatDecimal(ms / 1000)} s`)
