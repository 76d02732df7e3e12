import type { DetailsRow } from './records.ts'

/** What a reader's copy is told by. Beside its own version that is whatever it shows of others. */
export function representationVersionOf(row: DetailsRow): string {
  const { version, spend, lastActivityAt, folderId, access, sharedWorkspaces } = row
  let shown = `${spend} ${lastActivityAt} ${folderId} ${access}`
  for (const { id, name } of sharedWorkspaces) shown += ` ${id} ${name}`
  return `${version}.${sumOf(shown)}`
}

/** Two sums of 32 bits each. It tells copies apart and proves nothing; a digest would be a thirtieth of the request. */
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
