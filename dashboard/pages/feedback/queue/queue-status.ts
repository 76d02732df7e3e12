import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import type { Meaning } from '../../../components/status.tsx'

/** The statuses in workflow order, with the labels that operators see. */
export const QUEUE_STATUS: Record<FeedbackStatus, { label: string; meaning: Meaning; next: FeedbackStatus }> =
  {
    open: { label: 'Open', meaning: 'info', next: 'triaged' },
    triaged: { label: 'Triaged', meaning: 'warning', next: 'linked' },
    linked: { label: 'Linked', meaning: 'accent', next: 'handed_off' },
    handed_off: { label: 'Handed off', meaning: 'accent', next: 'resolved' },
    resolved: { label: 'Resolved', meaning: 'good', next: 'open' },
    declined: { label: 'Declined', meaning: 'bad', next: 'open' },
  }

export const QUEUE_STATUSES = Object.keys(QUEUE_STATUS) as FeedbackStatus[]

export const parseFeedbackStatus = (value: unknown) => QUEUE_STATUSES.find((status) => status === value)
