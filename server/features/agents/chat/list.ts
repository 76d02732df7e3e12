import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { findProject } from '../../projects/projects/projects.ts'
import {
  findSession,
  listMessages,
  listSessions,
  presentMessage,
  presentSession,
} from '../conversations/conversations.ts'

export async function list(
  ctx: Context<'vault'>,
  { limit, cursor, projectId, ...filter }: InputOf<typeof sessions.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const name = `sessions ${orgId} ${userId} ${JSON.stringify({ project, ...filter })}`
  const position = decodeCursor(ctx.vault, name, cursor)
  const before = position === null ? null : JSON.parse(position)
  const rows = await listSessions(
    ctx.sql,
    ctx.caller,
    { projectId: project, ...filter },
    { before, limit: limit + 1 },
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => ({ ...presentSession(row), match: row.match })),
    nextCursor:
      rows.length > limit && last
        ? encodeCursor(ctx.vault, name, JSON.stringify({ lastMessageAt: last.lastMessageAt, id: last.id }))
        : null,
  }
}

/** Newest first, or oldest first with `after`. */
export async function readMessages(
  ctx: Context<'vault'>,
  { id, limit, cursor, after }: InputOf<typeof sessions.messages>,
) {
  const session = await findSession(ctx, id)
  const list = `messages ${session.orgId} ${id} ${after === undefined ? 'newest' : 'oldest'}`
  const position = decodeCursor(ctx.vault, list, cursor)
  const rows = await listMessages(ctx.sql, session.orgId, id, {
    order: after === undefined ? 'newest' : 'oldest',
    from: position === null ? (after ?? null) : Number(position),
    limit: limit + 1,
    readerId: ctx.caller.userId,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map(presentMessage),
    nextCursor: rows.length > limit && last ? encodeCursor(ctx.vault, list, String(last.seq)) : null,
  }
}
