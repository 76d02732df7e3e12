import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { findSession, listMessages, presentMessage } from '../conversations/conversations.ts'

/** Newest first, or with `after` oldest first. */
export async function readMessages(
  ctx: Context,
  { id, limit, cursor, after }: InputOf<typeof sessions.messages>,
) {
  const session = await findSession(ctx, id)
  const list = `messages ${session.orgId} ${id} ${after === undefined ? 'newest' : 'oldest'}`
  const position = decodeCursor(ctx.vault, list, cursor)
  const rows = await listMessages(ctx.sql, session.orgId, id, {
    order: after === undefined ? 'newest' : 'oldest',
    from: position === null ? (after ?? null) : Number(position),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(presentMessage),
    nextCursor: rows.length > limit && last ? encodeCursor(ctx.vault, list, String(last.seq)) : null,
  }
}
