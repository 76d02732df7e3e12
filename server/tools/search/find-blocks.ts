import { createBlockFinder, shortRefs } from '../canvas/block-refs.ts'
import { type BlockRecord, loadCanvas } from '../canvas/load-canvas.ts'
import type { ToolCall } from '../tool.ts'
import { findByText } from './find-text.ts'
import { type Hit, RESULTS_MAX } from './hit.ts'

const SHORT_REF = /^[0-9a-f]{8}$/

/** Blocks of a project by words or by their id, or the one block with a short reference. */
export async function findBlocks(call: ToolCall, query: string, projectId: string): Promise<Hit[]> {
  const items = await findByText(call, query, 'block', projectId)
  const { blocks } = await loadCanvas(call, projectId, ({ id, type, title }: BlockRecord) => ({
    id,
    type,
    title,
  }))
  const byId = new Map(blocks.map((block) => [block.id, block]))
  const refOf = shortRefs(blocks)
  const idByRef = SHORT_REF.test(query.toLowerCase()) ? tryFind(createBlockFinder(blocks), query) : null
  const ids = [...new Set([...(idByRef ? [idByRef] : []), ...items.map(({ id }) => id)])].slice(
    0,
    RESULTS_MAX + 1,
  )
  const outside = await call.findOutsideBlocks(projectId, ids, ['title'])
  return ids.flatMap((id) => {
    const block = byId.get(id)
    if (!block) return []
    const name = outside.has(id) ? '(by a guest)' : (block.title ?? '')
    return [{ kind: 'block', id, name, ref: refOf(id), type: block.type, projectId }]
  })
}

function tryFind(find: (ref: string, field: string) => string, ref: string): string | null {
  try {
    return find(ref, 'query')
  } catch {
    return null
  }
}
