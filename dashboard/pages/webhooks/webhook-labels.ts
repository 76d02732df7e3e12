import type { Meaning } from '../../components/status.tsx'
import { isFailing } from './health.ts'
import type { Delivery, Webhook, WebhookEvent } from './webhooks-queries.ts'

interface Word {
  word: string
  meaning: Meaning
}

const WEBHOOK_STATUSES: Record<Webhook['status'], Word> = {
  active: { word: 'Active', meaning: 'good' },
  paused: { word: 'Paused', meaning: 'warning' },
  disabled: { word: 'Disabled', meaning: 'neutral' },
}

/** Disabled by somebody is a choice; disabled because it kept failing is a problem, and so is to fail all the time. */
export function webhookStatus(webhook: Webhook): Word {
  const { status, disabledReason } = webhook
  if (disabledReason) return { word: 'Disabled', meaning: 'bad' }
  if (status === 'active' && isFailing(webhook)) return { word: 'Failing', meaning: 'bad' }
  return WEBHOOK_STATUSES[status]
}

export const EVENT_STATUSES: Record<WebhookEvent['status'], Word> = {
  received: { word: 'Received', meaning: 'neutral' },
  delivered: { word: 'Delivered', meaning: 'good' },
  failed: { word: 'Failed', meaning: 'bad' },
  held: { word: 'Held', meaning: 'warning' },
  filtered: { word: 'Filtered', meaning: 'neutral' },
  rejected: { word: 'Rejected', meaning: 'bad' },
}

/** What happened here was not received from anybody. */
export const eventStatus = ({ status, direction }: Pick<WebhookEvent, 'status' | 'direction'>): Word =>
  status === 'received' && direction === 'internal'
    ? { word: 'Recorded', meaning: 'neutral' }
    : EVENT_STATUSES[status]

/** What is refused is not read, so nobody knows what it was. */
export const typeWord = ({ type, status }: Pick<WebhookEvent, 'type' | 'status'>) =>
  status === 'rejected' ? 'refused request' : type

export const DELIVERY_STATUSES: Record<Delivery['status'], Word> = {
  pending: { word: 'On its way', meaning: 'info' },
  succeeded: { word: 'Delivered', meaning: 'good' },
  retrying: { word: 'Retrying', meaning: 'warning' },
  failed: { word: 'Failed', meaning: 'bad' },
  held: { word: 'Held', meaning: 'warning' },
  canceled: { word: 'Canceled', meaning: 'neutral' },
}

export const SOURCES: Record<string, string> = {
  custom: 'Any sender',
  github: 'GitHub',
  gitlab: 'GitLab',
  linear: 'Linear',
  slack: 'Slack',
  stripe: 'Stripe',
}

export const sourceWord = (source: string) =>
  source === 'atrium' ? 'Atrium' : source === 'custom' ? 'Custom' : (SOURCES[source] ?? source)

/** How a sender proved that it knows the secret. */
const PROOFS: Record<string, string> = {
  standard: 'a Standard Webhooks signature',
  github: 'a GitHub signature',
  stripe: 'a Stripe signature',
  slack: 'a Slack signature',
  linear: 'a Linear signature',
  generic: 'a signature in X-Webhook-Signature',
  secret: 'the secret itself',
}

export const proofWord = (scheme: string | null) => (scheme ? (PROOFS[scheme] ?? scheme) : 'no proof at all')

interface Refusal {
  what: string
  advice: string
}

const REFUSALS: Record<string, Refusal> = {
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

export const refusalWords = (reason: string | null): Refusal =>
  REFUSALS[reason ?? ''] ?? { what: 'It could not be verified', advice: 'Check the secret of the sender.' }

const SPELLED_MAX = 2

/** The allowlist in a few words. */
export function eventsWord(events: string[]): string {
  if (events.length === 0 || events.includes('*')) return 'All events'
  return events.length <= SPELLED_MAX ? events.join(', ') : `${events.length} event types`
}

export const durationWord = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)
