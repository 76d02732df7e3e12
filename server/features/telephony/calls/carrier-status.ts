import { dictionary } from '../../../../contract/dictionary.ts'
import {
  type CallEnd,
  type CallStatus,
  OPEN_CALL_STATUSES,
} from '../../../../contract/telephony/telephony-options.ts'

/** The statuses of Twilio. */
const STATUSES: Readonly<Record<string, CallStatus>> = dictionary({
  queued: 'queued',
  initiated: 'queued',
  ringing: 'ringing',
  'in-progress': 'in_progress',
  answered: 'in_progress',
  completed: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  failed: 'failed',
  canceled: 'canceled',
})

/** Null for an unknown status. */
export const statusOf = (reported: string): CallStatus | null => STATUSES[reported] ?? null

export const isFinalStatus = (status: CallStatus): boolean => !OPEN_CALL_STATUSES.includes(status)

/** Why a call ended, derived from its last status. */
export function endReasonOf(status: CallStatus, direction: 'inbound' | 'outbound'): CallEnd | null {
  if (status === 'busy') return 'busy'
  if (status === 'no_answer') return 'no_answer'
  if (status === 'failed') return 'carrier_failed'
  if (status === 'completed' || status === 'canceled')
    return direction === 'inbound' ? 'caller_hung_up' : null
  return null
}
