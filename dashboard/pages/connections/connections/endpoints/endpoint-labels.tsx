import {
  ENDPOINT_PAUSES,
  EVENT_HOLDS,
  IGNORED_EVENTS,
} from '../../../../../contract/connections/connector-endpoint-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { ConnectorEndpoint, ProviderEvent } from '../../../../api/connections.ts'
import { type Meaning, Status } from '../../../../components/status.tsx'
import { rejectionLabel } from '../../../webhooks/webhook-labels.ts'

type EndpointState = Pick<
  ConnectorEndpoint,
  'status' | 'pausedReason' | 'held' | 'registration' | 'registrationError' | 'lastReceivedAt'
>

/** The most important state. */
export function describeEndpointState(endpoint: EndpointState): {
  label: string
  meaning: Meaning
  reason: string | null
} {
  const { status, pausedReason, held, registration, registrationError, lastReceivedAt } = endpoint
  if (status === 'paused')
    return {
      label: t`Paused`,
      meaning: 'neutral',
      reason: pausedReason && t`${ENDPOINT_PAUSES[pausedReason]} Events are waiting.`,
    }
  if (held)
    return { label: t`Holding`, meaning: 'warning', reason: t`${EVENT_HOLDS[held]} Events are waiting.` }
  if (registration === 'failed')
    return {
      label: t`Not registered`,
      meaning: 'bad',
      reason: registrationError ?? t`The provider rejects the URL.`,
    }
  if (registration === 'pending')
    return { label: t`Registering`, meaning: 'info', reason: t`The provider hasn’t confirmed the URL yet.` }
  if (registration === 'by_hand' && lastReceivedAt === null)
    return {
      label: t`Needs setup`,
      meaning: 'info',
      reason: t`No events yet. Finish the setup at the provider.`,
    }
  return {
    label: t`Receiving`,
    meaning: 'good',
    reason: registrationError && t`Not renewed yet: ${registrationError}`,
  }
}

export function EndpointState({ endpoint }: { endpoint: EndpointState }) {
  const { label, meaning } = describeEndpointState(endpoint)
  return <Status meaning={meaning}>{label}</Status>
}

const EVENT_STATES: Record<ProviderEvent['status'], { label: string; meaning: Meaning }> = {
  pending: { label: t`Waiting`, meaning: 'info' },
  held: { label: t`Held`, meaning: 'warning' },
  running: { label: t`Running`, meaning: 'accent' },
  succeeded: { label: t`Succeeded`, meaning: 'good' },
  failed: { label: t`Failed`, meaning: 'bad' },
  ignored: { label: t`Ignored`, meaning: 'neutral' },
  rejected: { label: t`Rejected`, meaning: 'bad' },
}

export function EventState({ status }: Pick<ProviderEvent, 'status'>) {
  const { label, meaning } = EVENT_STATES[status]
  return <Status meaning={meaning}>{label}</Status>
}

export const REPLIES: Record<ConnectorEndpoint['reply'], { label: string; description: string }> = {
  auto: {
    label: t`Automatic`,
    description: t`The agent’s reply goes to the event’s thread without approval.`,
  },
  approve: {
    label: t`After approval`,
    description: t`A member approves each reply before it goes to the event’s thread.`,
  },
  off: { label: t`Off`, description: t`Replies stay in the conversation. Nothing is sent.` },
}

const REASONS: Record<string, string> = { ...IGNORED_EVENTS, ...EVENT_HOLDS }

export function eventReason({ reason, status }: Pick<ProviderEvent, 'reason' | 'status'>): string | null {
  if (reason === null) return null
  return REASONS[reason] ?? (status === 'rejected' ? rejectionLabel(reason).reason : reason)
}

/** Rejected requests aren't read, so their kind is unknown. */
export const eventKind = ({ eventKey, status }: Pick<ProviderEvent, 'eventKey' | 'status'>) =>
  status === 'rejected' ? t`rejected request` : eventKey
