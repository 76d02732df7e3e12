import type { canvas } from '../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Context } from '../../context.ts'
import { cursorPage, decodeCursor } from '../../database/cursor.ts'
import { badField } from '../../errors.ts'
import { findProject } from '../projects/projects.ts'
import { readAll, readPage } from './list-queries.ts'

/** The whole canvas, or one page of blocks with the edges that start at them. */
export async function list(ctx: Context, { projectId, limit, cursor }: InputOf<typeof canvas.list>) {
  const { orgId, id } = await findProject(ctx, projectId)
  if (limit === undefined) {
    if (cursor !== undefined) throw badField('query.limit', 'is required with a cursor')
    const { blocks, edges, seq } = await readAll(ctx.sql, orgId, id)
    return { items: blocks, edges, nextCursor: null, seq }
  }
  const name = `blocks ${orgId} ${id}`
  const after = decodeCursor(ctx.vault, name, cursor)
  const { blocks, edges, seq } = await readPage(ctx.sql, orgId, id, after, limit + 1)
  const page = cursorPage(ctx.vault, name, limit, blocks, (block) => block)
  const next = blocks[limit]
  return { ...page, edges: edges.filter(({ fromBlockId }) => fromBlockId !== next?.id), seq }
}
