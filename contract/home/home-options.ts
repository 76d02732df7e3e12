/** The kinds of entries that need the attention of a member, in the order of the page. */
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

/** Kinds of entries that stay until the person removes them; the others end with their cause. */
export const DISMISSIBLE_KINDS: readonly AttentionKind[] = ['notification', 'run', 'webhook']

/** The kinds of news since the last visit. */
export const NEWS_KINDS = ['runs', 'canvas', 'files', 'comments'] as const

export const HOME_LIMITS = {
  /** The number of entries of each kind. */
  attention: 5,
  news: 20,
  projects: 8,
  usageDays: 14,
  /** A visit ends when the person has not had the page open for this long. */
  visitHours: 3,
  /** Older news is left out. */
  newsDays: 14,
  /** Older failed runs and failed deliveries are left out. */
  failureDays: 3,
  /** Connections that expire within this time need attention. */
  expiryDays: 7,
}

/** The steps of the guided tour, in order. */
export const TOUR_STEPS = ['canvas', 'agent', 'file', 'chat', 'search'] as const
