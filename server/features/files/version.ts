import { sha256 } from '../../security/digest.ts'
import type { Ancestor } from './queries.ts'
import type { FileRow } from './records.ts'

/**
 * What a reader's copy is told by. Beside its own version that is whatever it shows of others: the folders above it,
 * and what a link leads to.
 */
export function representationVersionOf(row: FileRow, ancestors: Ancestor[]): string {
  const { version, projectId, mimeType, size, status, objectKey } = row
  const shown = JSON.stringify([projectId, mimeType, size, status, objectKey, ancestors])
  return `${version}.${sha256(shown).toString('hex').slice(0, 12)}`
}
