import { ApiError } from '../errors.ts'
import type { Vault } from '../security/vault.ts'

/**
 * A cursor is a position in one list of one tenant: `list` names both and its filters, and is part of what is signed,
 * so a cursor is worthless anywhere else.
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

/** Makes a page of `limit` from up to `limit + 1` rows. */
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
