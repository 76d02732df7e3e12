/**
 * The values of the fields of a memory. Plain data without schemas: the server validates against them, the dashboard
 * shows them.
 */

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

/** Lengths in characters, and numbers of entries. */
export const MEMORY_LIMITS = {
  key: 200,
  content: 8000,
  query: 500,
  importItems: 200,
  /** Open proposals of one run. */
  proposals: 20,
  /** Versions of one memory; the oldest are deleted. */
  versions: 100,
} as const
