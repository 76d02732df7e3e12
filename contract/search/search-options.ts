/** The types of records that can be found. The dashboard shows the groups in this order if they match equally well. */
export const SEARCH_TYPES = [
  'project',
  'agent',
  'file',
  'session',
  'message',
  'block',
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
  /** Characters of a query. */
  query: 300,
  items: 100,
  /** Characters of the text of a record that are searched. */
  text: 100_000,
  /** The largest file whose text is searched. */
  fileBytes: 26_214_400,
}
