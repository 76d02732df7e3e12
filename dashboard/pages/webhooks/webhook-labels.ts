import type { Meaning } from '../../components/status.tsx'
import { isFailing } from './health.ts'
import type { Delivery, Webhook, WebhookEvent } from './webhooks-queries.ts'

interface StatusLabel {
  label: string
  meaning: Meaning
}

const WEBHOOK_STATUSES: Record<Webhook['status'], StatusLabel> = {
  active: { label: 'Active', meaning: 'good' },
  paused: { label: 'Paused', meaning: 'warning' },
  disabled: { label: 'Disabled', meaning: 'neutral' },
}

/** Disabled by somebody is a choice; disabled because it kept failing is a problem, and so is to fail all the time. */
export function webhookStatus(webhook: Webhook): StatusLabel {
  const { status, disabledReason } = webhook
  if (disabledReason) return { label: 'Disabled', meaning: 'bad' }
  if (status === 'active' && isFailing(webhook)) return { label: 'Failing', meaning: 'bad' }
  return WEBHOOK_STATUSES[status]
}

export const EVENT_STATUSES: Record<WebhookEvent['status'], StatusLabel> = {
  received: { label: 'Received', meaning: 'neutral' },
  delivered: { label: 'Delivered', meaning: 'good' },
  failed: { label: 'Failed', meaning: 'bad' },
  held: { label: 'Held', meaning: 'warning' },
  filtered: { label: 'Filtered', meaning: 'neutral' },
  rejected: { label: 'Rejected', meaning: 'bad' },
}

/** What happened here was not received from anybody. */
export const eventStatus = ({
  status,
  direction,
}: Pick<WebhookEvent, 'status' | 'direction'>): StatusLabel =>
  status === 'received' && direction === 'internal'
    ? { label: 'Recorded', meaning: 'neutral' }
    : EVENT_STATUSES[status]

/** What is refused is not read, so nobody knows what it was. */
export const eventTypeLabel = ({ type, status }: Pick<WebhookEvent, 'type' | 'status'>) =>
  status === 'rejected' ? 'refused request' : type

export const DELIVERY_STATUSES: Record<Delivery['status'], StatusLabel> = {
  pending: { label: 'On its way', meaning: 'info' },
  succeeded: { label: 'Delivered', meaning: 'good' },
  retrying: { label: 'Retrying', meaning: 'warning' },
  failed: { label: 'Failed', meaning: 'bad' },
  held: { label: 'Held', meaning: 'warning' },
  canceled: { label: 'Canceled', meaning: 'neutral' },
}

export const SOURCES: Record<string, string> = {
  custom: 'Any sender',
  github: 'GitHub',
  gitlab: 'GitLab',
  linear: 'Linear',
  slack: 'Slack',
  stripe: 'Stripe',
}

export const sourceLabel = (source: string) =>
  source === 'atrium' ? 'Atrium' : source === 'custom' ? 'Custom' : (SOURCES[source] ?? source)

/** How a sender proved that it knows the secret. */
const SCHEMES: Record<string, string> = {
  standard: 'a Standard Webhooks signature',
  github: 'a GitHub signature',
  stripe: 'a Stripe signature',
  slack: 'a Slack signature',
  linear: 'a Linear signature',
  generic: 'a signature in X-Webhook-Signature',
  secret: 'the secret itself',
}

export const schemeLabel = (scheme: string | null) =>
  scheme ? (SCHEMES[scheme] ?? scheme) : 'no proof at all'

interface Rejection {
  what: string
  advice: string
}

const REJECTIONS: Record<string, Rejection> = {
  missing_signature: {
    what: 'It carries neither a signature nor the secret',
    advice: 'Have the sender sign what it sends, or put the secret into the header X-Webhook-Secret.',
  },
  malformed_signature: {
    what: 'Its signature cannot be read',
    advice: 'A header that belongs to the signature is missing, or is not written as the scheme has it.',
  },
  bad_signature: {
    what: 'It was signed with another secret, or the body was changed on the way',
    advice:
      'Compare the secret of the sender with this one, and see that the raw bytes are signed: JSON that was parsed and written again is another body.',
  },
  timestamp_skew: {
    what: 'It was signed too long ago, or by a clock that is wrong',
    advice: 'Check the clock of the sender. An old request that is sent again is refused on purpose.',
  },
  too_large: { what: 'Its body is larger than 256 KB', advice: 'Have the sender send less, or a link.' },
  too_many_hops: {
    what: 'It went through too many webhooks',
    advice: 'Webhooks that forward to one another go in a circle. Take one of them out.',
  },
}

export const rejectionLabel = (reason: string | null): Rejection =>
  REJECTIONS[reason ?? ''] ?? { what: 'It could not be verified', advice: 'Check the secret of the sender.' }

const SPELLED_MAX = 2

/** The allowlist in a few words. */
export function eventFilterLabel(events: string[]): string {
  if (events.length === 0 || events.includes('*')) return 'All events'
  return events.length <= SPELLED_MAX ? events.join(', ') : `${events.length} event types`
}

export const formatDuration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
