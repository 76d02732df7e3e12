import type { canvas } from '../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { JsonParts, JsonText } from '../../../endpoint/json-text.ts'
import { badField } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { readAll, readPage } from './list-queries.ts'

/** The whole canvas, or one page of blocks with the edges that start at them. */
export async function list(ctx: Context, { projectId, limit, cursor }: InputOf<typeof canvas.list>) {
  if (limit === undefined && cursor !== undefined) throw badField('query.limit', 'is required with a cursor')
  const { orgId, id } = await findProject(ctx, projectId)
  if (limit === undefined) return composeCanvas(await readAll(ctx.sql, orgId, id))
  const name = `blocks ${orgId} ${id}`
  const after = decodeCursor(ctx.vault, name, cursor)
  const { blocks, edges, seq, lastId } = await readPage(ctx.sql, orgId, id, after, limit)
  const nextCursor = lastId === null ? null : encodeCursor(ctx.vault, name, lastId)
  return new JsonText(
    `{"items":[${blocks}],"edges":[${edges}],"nextCursor":${JSON.stringify(nextCursor)},"seq":${seq}}`,
  )
}

function composeCanvas(slices: Awaited<ReturnType<typeof readAll>>): JsonParts {
  const body = new JsonParts()
  const addAll = (kind: 'block' | 'edge') => {
    const texts = slices.filter((slice) => slice.kind === kind)
    for (const [index, { json }] of texts.entries()) body.add(index === 0 ? json : `,${json}`)
  }
  body.add('{"items":[')
  addAll('block')
  body.add('],"edges":[')
  addAll('edge')
  body.add(`],"nextCursor":null,"seq":${slices[0]?.json ?? '0'}}`)
  return body
}
