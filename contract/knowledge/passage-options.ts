/** Plain data without schemas, for the server and the dashboard. */

export const PASSAGE_SOURCES = ['file', 'block', 'memory', 'session'] as const
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
  /** Projects, folders, files and sessions. */
  within: 50,
  /** Of a pinned conversation, in characters: its newest messages. */
  conversation: 100_000,
} as const

/** Stand before the messages in a pinned conversation's text, except before questions. */
export const SPEAKERS = { user: 'User: ', assistant: 'Agent: ' } as const
