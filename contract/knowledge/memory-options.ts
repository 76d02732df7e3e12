/** Plain data without schemas, for the server and the dashboard. */

export const MEMORY_SCOPES = ['project', 'org'] as const
export const MEMORY_STATUSES = ['active', 'proposed'] as const
export const MEMORY_CHANGES = [
  'created',
  'updated',
  'accepted',
  'merged',
  'restored',
  'imported',
  'removed',
] as const

/** Lengths in characters. */
export const MEMORY_LIMITS = {
  key: 200,
  content: 8000,
  query: 500,
  importItems: 200,
  /** Per run. */
  proposals: 20,
  /** Per memory; the oldest are deleted. */
  versions: 100,
} as const
