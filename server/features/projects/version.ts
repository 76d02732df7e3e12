import { sha256 } from '../../security/digest.ts'
import type { DetailsRow } from './records.ts'

/** What a reader's copy is told by. Beside its own version that is whatever it shows of others. */
export function shownVersionOf({ version, ...row }: DetailsRow): string {
  const { spend, lastActivityAt, folderId, access, sharedWorkspaces } = row
  const shown = JSON.stringify([spend, lastActivityAt, folderId, access, sharedWorkspaces])
  return `${version}.${sha256(shown).toString('hex').slice(0, 12)}`
}

/** The version of the project itself, which is what a change depends on. */
export const recordVersionOf = (ifMatch: string | undefined): string | undefined => ifMatch?.split('.', 1)[0]
