import type { FeedbackStatus } from '../../../contract/feedback.ts'
import type { Meaning } from '../../components/status.tsx'

/** The workflow in its order, as operators speak of it. */
export const QUEUE_STATUS: Record<FeedbackStatus, { word: string; meaning: Meaning; next: FeedbackStatus }> =
  {
    open: { word: 'Open', meaning: 'info', next: 'triaged' },
    triaged: { word: 'Triaged', meaning: 'warning', next: 'linked' },
    linked: { word: 'Linked', meaning: 'accent', next: 'handed_off' },
    handed_off: { word: 'Handed off', meaning: 'accent', next: 'resolved' },
    resolved: { word: 'Resolved', meaning: 'good', next: 'open' },
    declined: { word: 'Declined', meaning: 'bad', next: 'open' },
  }

export const QUEUE_STATUSES = Object.keys(QUEUE_STATUS) as FeedbackStatus[]

export const asFeedbackStatus = (value: unknown) => QUEUE_STATUSES.find((status) => status === value)
