import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { Vault } from '../security/vault.ts'

/** `list` names the list, tenant and filters, and is signed with the position, so any other list refuses the cursor. */
export function encodeCursor(vault: Vault, list: string, position: string): string {
  return Buffer.from(`${vault.sign(`cursor:${list}`, position)}.${position}`).toString('base64url')
}

export function decodeCursor(vault: Vault, list: string, cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  const position = text.slice(text.indexOf('.') + 1)
  const tag = text.slice(0, text.indexOf('.'))
  if (vault.verify(`cursor:${list}`, position, tag)) return position
  const message = 'is not a cursor for this list'
  throw new ApiError('BAD_REQUEST', `query.cursor ${message}`, {
    details: [{ path: 'query.cursor', message }],
  })
}

/** Takes up to `limit + 1` rows: the extra one shows that a next page exists. */
export function cursorPage<R extends { id: string }, T>(
  vault: Vault,
  list: string,
  limit: number,
  rows: readonly R[],
  present: (row: R) => T,
): { items: T[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(present),
    nextCursor: rows.length > limit && last ? encodeCursor(vault, list, last.id) : null,
  }
}

interface VersionList {
  /** For the cursor. */
  list: string
  limit: number
  cursor: string | undefined
}

/** Versions below `before`, or the newest if null. */
export interface VersionPosition {
  before: number | null
  limit: number
}

/** Newest first. `present` gets each version with the next older one, so `read` gets the page's limit plus one. */
export async function versionPage<Row extends { version: number }, Item>(
  { vault }: Pick<Context<'vault'>, 'vault'>,
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
