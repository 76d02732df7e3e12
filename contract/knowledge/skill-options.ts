/** Plain data without schemas, for the server, the dashboard and the CLI. */

export const SKILL_CHANGES = ['created', 'updated', 'imported', 'restored'] as const

/** Lengths in characters, sizes in bytes. */
export const SKILL_LIMITS = {
  name: 64,
  description: 1024,
  compatibility: 500,
  license: 500,
  allowedTools: 2000,
  metadata: 50,
  metadataText: 1000,
  instructions: 100_000,
  files: 200,
  path: 255,
  depth: 8,
  fileBytes: 1_048_576,
  /** All files together. */
  totalBytes: 8_388_608,
  archiveBytes: 8_388_608,
  versions: 50,
} as const

export const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/

export const SKILL_FILE = 'SKILL.md'
