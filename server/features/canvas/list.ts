import type { canvas } from '../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { decodeCursor, encodeCursor } from '../../database/cursor.ts'
import { JsonText } from '../../endpoint/json-text.ts'
import { badField } from '../../errors.ts'
import { findProject } from '../projects/projects.ts'
import { readAll, readPage } from './list-queries.ts'

/** The whole canvas, or one page of blocks with the edges that start at them. */
export async function list(ctx: Context, { projectId, limit, cursor }: InputOf<typeof canvas.list>) {
  if (limit === undefined && cursor !== undefined) throw badField('query.limit', 'is required with a cursor')
  const { orgId, id } = await findProject(ctx, projectId)
  const name = `blocks ${orgId} ${id}`
  const { blocks, edges, seq, lastId } =
    limit === undefined
      ? await readAll(ctx.sql, orgId, id)
      : await readPage(ctx.sql, orgId, id, decodeCursor(ctx.vault, name, cursor), limit)
  const nextCursor = lastId === null ? null : encodeCursor(ctx.vault, name, lastId)
  return new JsonText(
    `{"items":[${blocks}],"edges":[${edges}],"nextCursor":${JSON.stringify(nextCursor)},"seq":${seq}}`,
  )
}
