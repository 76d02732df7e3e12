import type { FeedbackStatus } from '../../../../contract/feedback.ts'
import { t } from '../../../../contract/text.ts'
import type { Meaning } from '../../../components/status.tsx'

/** In workflow order, with operator labels. */
export const QUEUE_STATUS: Record<FeedbackStatus, { label: string; meaning: Meaning; next: FeedbackStatus }> =
  {
    open: { label: t`Open`, meaning: 'info', next: 'triaged' },
    triaged: { label: t`Triaged`, meaning: 'warning', next: 'linked' },
    linked: { label: t`Linked`, meaning: 'accent', next: 'handed_off' },
    handed_off: { label: t`Handed off`, meaning: 'accent', next: 'resolved' },
    resolved: { label: t`Resolved`, meaning: 'good', next: 'open' },
    declined: { label: t`Declined`, meaning: 'bad', next: 'open' },
  }

export const QUEUE_STATUSES = Object.keys(QUEUE_STATUS) as FeedbackStatus[]

export const parseFeedbackStatus = (value: unknown) => QUEUE_STATUSES.find((status) => status === value)
