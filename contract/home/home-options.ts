/** In page order. */
export const ATTENTION_KINDS = [
  'approval',
  'question',
  'payment',
  'notification',
  'run',
  'connection',
  'webhook',
  'budget',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

/** Stay until the user dismisses them; the others end with their cause. */
export const DISMISSIBLE_KINDS: readonly AttentionKind[] = ['notification', 'run', 'webhook']

export const NEWS_KINDS = ['runs', 'canvas', 'files', 'comments'] as const

export const HOME_LIMITS = {
  /** Entries per kind. */
  attention: 5,
  news: 20,
  projects: 8,
  live: 5,
  usageDays: 14,
  /** A visit ends when the page hasn't been open for this long. */
  visitHours: 3,
  /** Omits older news. */
  newsDays: 14,
  /** Omits older failed runs and deliveries. */
  failureDays: 3,
  /** Connections expiring within this time need attention. */
  expiryDays: 7,
}

/** In order. */
export const TOUR_STEPS = ['canvas', 'agent', 'file', 'chat', 'search', 'model'] as const
