import { sha256 } from '../../security/digest.ts'
import type { Ancestor } from './queries.ts'
import type { FileRow } from './records.ts'

/**
 * The version of the representation, for the etag. It also covers what the response shows of other records: the folders
 * above the file, and the target of a link.
 */
export function representationVersionOf(row: FileRow, ancestors: Ancestor[]): string {
  const { version, projectId, mimeType, size, status, objectKey } = row
  const shown = JSON.stringify([projectId, mimeType, size, status, objectKey, ancestors])
  return `${version}.${sha256(shown).toString('hex').slice(0, 12)}`
}
