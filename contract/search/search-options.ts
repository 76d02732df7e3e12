/** The dashboard shows groups in this order if they match equally well. */
export const SEARCH_TYPES = [
  'project',
  'agent',
  'file',
  'session',
  'message',
  'block',
  'table',
  'memory',
  'skill',
  'schedule',
  'run',
  'webhook',
  'call',
  'sms',
  'event',
] as const

export type SearchType = (typeof SEARCH_TYPES)[number]

export const SEARCH_LIMITS = {
  /** In characters. */
  query: 300,
  items: 100,
  /** Characters searched per record. */
  text: 100_000,
  /** Larger files' text isn't searched. */
  fileBytes: 26_214_400,
}
