import type { DetailsRow } from './records.ts'

/** The version of the representation, for the etag. It also covers what the response shows of other records. */
export function representationVersionOf(row: DetailsRow): string {
  const { version, spend, lastActivityAt, folderId, access, sharedWorkspaces } = row
  let shown = `${spend} ${lastActivityAt} ${folderId} ${access}`
  for (const { id, name } of sharedWorkspaces) shown += ` ${id} ${name}`
  return `${version}.${sumOf(shown)}`
}

/** Two 32-bit FNV-like hashes. An etag needs no cryptographic hash, which would take a thirtieth of the request time. */
function sumOf(text: string): string {
  let one = 0x811c9dc5
  let other = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    one = Math.imul(one ^ letter, 0x01000193)
    other = Math.imul(other ^ letter, 0x5bd1e995)
  }
  return (one >>> 0).toString(36) + (other >>> 0).toString(36)
}
