import {
  CALL_ENDS,
  CALL_STATUSES,
  type CallStatus,
  type SmsStatus,
} from '../../../contract/telephony/telephony-options.ts'
import type { Meaning } from '../../components/status.tsx'
import type { Call } from './telephony-queries.ts'

interface Label {
  label: string
  meaning: Meaning
}

const CALLS: Record<CallStatus, Label> = {
  queued: { label: 'Queued', meaning: 'neutral' },
  ringing: { label: 'Ringing', meaning: 'info' },
  in_progress: { label: 'In progress', meaning: 'accent' },
  completed: { label: 'Completed', meaning: 'good' },
  busy: { label: 'Busy', meaning: 'warning' },
  no_answer: { label: 'No answer', meaning: 'warning' },
  failed: { label: 'Failed', meaning: 'bad' },
  canceled: { label: 'Canceled', meaning: 'neutral' },
  rejected: { label: 'Rejected', meaning: 'neutral' },
}

/** The status of a call; a transfer in progress is shown instead. */
export function callStatus({ status, transfer }: Pick<Call, 'status' | 'transfer'>): Label {
  if (status === 'in_progress' && transfer) {
    if (transfer.state === 'bridged') return { label: 'Transferred', meaning: 'accent' }
    if (['requested', 'dialing', 'briefing'].includes(transfer.state))
      return { label: 'In transfer', meaning: 'warning' }
  }
  return CALLS[status]
}

export const CALL_STATUS_OPTIONS = CALL_STATUSES.map((value) => ({ value, label: CALLS[value].label }))

export const DIRECTION_OPTIONS = [
  { value: 'inbound', label: 'Inbound' },
  { value: 'outbound', label: 'Outbound' },
] as const

export const endReasonLabel = ({ endReason }: Pick<Call, 'endReason'>) =>
  endReason ? CALL_ENDS[endReason] : null

export const PROVIDERS: Record<Call['provider'], string> = {
  twilio: 'Twilio',
  openai: 'OpenAI',
  elevenlabs: 'ElevenLabs',
}

export const SMS_LABELS: Record<SmsStatus, Label> = {
  received: { label: 'Received', meaning: 'good' },
  queued: { label: 'Queued', meaning: 'neutral' },
  sending: { label: 'Sending', meaning: 'info' },
  sent: { label: 'Sent', meaning: 'info' },
  delivered: { label: 'Delivered', meaning: 'good' },
  undelivered: { label: 'Not delivered', meaning: 'bad' },
  failed: { label: 'Failed', meaning: 'bad' },
}

/** The seconds that a call lasts: from its answer to its end, or until now; null before it is answered. */
export function callSeconds(
  { answeredAt, endedAt, durationSeconds }: Pick<Call, 'answeredAt' | 'endedAt' | 'durationSeconds'>,
  now: number,
): number | null {
  if (durationSeconds !== null) return durationSeconds
  if (answeredAt === null) return null
  return Math.max(0, ((endedAt ? Date.parse(endedAt) : now) - Date.parse(answeredAt)) / 1000)
}

/** `3:07`, `1:02:45`: as telephones show it. */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const secondsText = String(whole % 60).padStart(2, '0')
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, '0')}:${secondsText}`
    : `${minutes}:${secondsText}`
}
