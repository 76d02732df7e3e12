import { ApiError } from '../errors.ts'
import type { Vault } from '../security/vault.ts'

/**
 * A cursor is a position in one list of one tenant. `list` names the list, the tenant and the filters, and is signed with
 * the position, so a cursor is refused for any other list.
 */
export function encodeCursor(vault: Vault, list: string, position: string): string {
  return Buffer.from(`${vault.sign(`cursor:${list}`, position)}.${position}`).toString('base64url')
}

export function decodeCursor(vault: Vault, list: string, cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  const position = text.slice(text.indexOf('.') + 1)
  const tag = text.slice(0, text.indexOf('.'))
  if (vault.verify(`cursor:${list}`, position, tag)) return position
  const message = 'is not a cursor of this list'
  throw new ApiError('BAD_REQUEST', `query.cursor ${message}`, {
    details: [{ path: 'query.cursor', message }],
  })
}

/** Builds a page of `limit` items from up to `limit + 1` rows; the extra row shows that a next page exists. */
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
