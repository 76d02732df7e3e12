/** Plain data without schemas, for the server and the dashboard. */

export const PASSAGE_SOURCES = ['file', 'block', 'memory'] as const
export const KNOWLEDGE_STATES = ['waiting', 'indexing', 'ready', 'failed', 'unsupported'] as const
export const KNOWLEDGE_PROBLEMS = [
  'broken',
  'encrypted',
  'too_complex',
  'timed_out',
  'too_large',
  'limit',
] as const

export const PASSAGE_LIMITS = {
  /** In characters. */
  query: 1000,
  items: 50,
  /** Projects, folders and files. */
  within: 50,
} as const
