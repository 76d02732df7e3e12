import type { sessions } from '../../../../contract/agents/sessions.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { listSessions, presentSession } from '../conversations/conversations.ts'

export async function list(
  ctx: Context,
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
