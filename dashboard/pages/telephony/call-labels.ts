import {
  CALL_ENDS,
  CALL_STATUSES,
  type CallStatus,
  type SmsStatus,
} from '../../../contract/telephony/telephony-options.ts'
import { t } from '../../../contract/text.ts'
import type { Meaning } from '../../components/status.tsx'
import type { Call } from './telephony-queries.ts'

interface Label {
  label: string
  meaning: Meaning
}

const CALLS: Record<CallStatus, Label> = {
  queued: { label: t`Queued`, meaning: 'neutral' },
  ringing: { label: t`Ringing`, meaning: 'info' },
  in_progress: { label: t`In progress`, meaning: 'accent' },
  completed: { label: t`Completed`, meaning: 'good' },
  busy: { label: t`Busy`, meaning: 'warning' },
  no_answer: { label: t`No answer`, meaning: 'warning' },
  failed: { label: t`Failed`, meaning: 'bad' },
  canceled: { label: t`Canceled`, meaning: 'neutral' },
  rejected: { label: t`Rejected`, meaning: 'neutral' },
}

/** A transfer in progress takes precedence. */
export function callStatus({ status, transfer }: Pick<Call, 'status' | 'transfer'>): Label {
  if (status === 'in_progress' && transfer) {
    if (transfer.state === 'bridged') return { label: t`Transferred`, meaning: 'accent' }
    if (['requested', 'dialing', 'briefing'].includes(transfer.state))
      return { label: t`Transferring`, meaning: 'warning' }
  }
  return CALLS[status]
}

export const CALL_STATUS_OPTIONS = CALL_STATUSES.map((value) => ({ value, label: CALLS[value].label }))

export const DIRECTION_OPTIONS = [
  { value: 'inbound', label: t`Inbound` },
  { value: 'outbound', label: t`Outbound` },
] as const

export const endReasonLabel = ({ endReason }: Pick<Call, 'endReason'>) =>
  endReason ? CALL_ENDS[endReason] : null

export const PROVIDERS: Record<Call['provider'], string> = {
  twilio: 'Twilio',
  openai: 'OpenAI',
  elevenlabs: 'ElevenLabs',
  browser: t`Browser`,
}

export const SMS_LABELS: Record<SmsStatus, Label> = {
  received: { label: t`Received`, meaning: 'good' },
  queued: { label: t`Queued`, meaning: 'neutral' },
  sending: { label: t`Sending`, meaning: 'info' },
  sent: { label: t`Sent`, meaning: 'info' },
  delivered: { label: t`Delivered`, meaning: 'good' },
  undelivered: { label: t`Not delivered`, meaning: 'bad' },
  failed: { label: t`Failed`, meaning: 'bad' },
}

/** Until the end, or now. Null before the call is answered. */
export function callSeconds(
  { answeredAt, endedAt, durationSeconds }: Pick<Call, 'answeredAt' | 'endedAt' | 'durationSeconds'>,
  now: number,
): number | null {
  if (durationSeconds !== null) return durationSeconds
  if (answeredAt === null) return null
  return Math.max(0, ((endedAt ? Date.parse(endedAt) : now) - Date.parse(answeredAt)) / 1000)
}

/** `3:07`, `1:02:45`, like a phone. */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const secondsText = String(whole % 60).padStart(2, '0')
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, '0')}:${secondsText}`
    : `${minutes}:${secondsText}`
}
