import { CALL_STATUSES } from '../../../../contract/telephony/telephony-options.ts'
import { CALL_STATUS_OPTIONS } from '../call-labels.ts'

/** The words of entries whose type alone does not say it. */
const LABELS: Record<string, string> = {
  in_progress: 'Answered',
  dtmf: 'Keys pressed',
  whisper: 'A member instructed the agent',
  rule: 'A rule answered',
  recording: 'The recording is stored',
  transcript: 'The transcript is stored',
  relay: 'Connected to the agent',
}

const PROBLEM = /fail|error|refus|lost|no_answer|busy/

/** An entry in words: a type such as `transfer.dialing` or `transfer_dialing` that has none of its own reads as it is. */
export function entryLabel(type: string): { label: string; isProblem: boolean } {
  const isStatus = CALL_STATUSES.some((status) => status === type)
  const label =
    LABELS[type] ??
    (isStatus ? CALL_STATUS_OPTIONS.find(({ value }) => value === type)?.label : undefined) ??
    sentence(type)
  return { label, isProblem: PROBLEM.test(type) }
}

function sentence(type: string): string {
  const words = type.replaceAll(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
