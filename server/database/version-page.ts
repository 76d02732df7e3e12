import type { Context } from '../context.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'

interface VersionList {
  /** Names the list and its tenant, for the cursor. */
  list: string
  limit: number
  cursor: string | undefined
}

/** The versions below `before`, or the newest if it is null. */
export interface VersionPosition {
  before: number | null
  limit: number
}

/**
 * A page of the versions of one record, newest first. `present` gets each version with the next older one, so `read`
 * gets a limit that is one higher than that of the page.
 */
export async function versionPage<Row extends { version: number }, Item>(
  { vault }: Pick<Context, 'vault'>,
  { list, limit, cursor }: VersionList,
  read: (position: VersionPosition) => Promise<readonly Row[]>,
  present: (row: Row, older: Row | undefined) => Item,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const before = decodeCursor(vault, list, cursor)
  const rows = await read({ before: before === null ? null : Number(before), limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row, index) => present(row, rows[index + 1])),
    nextCursor: rows.length > limit && last ? encodeCursor(vault, list, String(last.version)) : null,
  }
}
