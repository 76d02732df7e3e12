import { createBlockFinder, shortRefs } from '../canvas/block-refs.ts'
import { type BlockRecord, loadCanvas } from '../canvas/load-canvas.ts'
import type { ToolCall } from '../tool.ts'
import { type Hit, RESULTS_MAX } from './hit.ts'

export async function findBlocks(call: ToolCall, query: string, projectId: string): Promise<Hit[]> {
  const lower = query.toLowerCase()
  const { blocks } = await loadCanvas(call, projectId, ({ id, type, title, content }: BlockRecord) => ({
    id,
    type,
    title,
    isMatch: id === lower || [title, content].some((text) => text?.toLowerCase().includes(lower)),
  }))
  const refOf = shortRefs(blocks)
  const byShort = createBlockFinder(blocks)
  const named = /^[0-9a-f]{8}$/.test(lower) ? tryFind(byShort, lower) : null
  const found = blocks.filter(({ id, isMatch }) => isMatch || id === named).slice(0, RESULTS_MAX + 1)
  const ids = found.map(({ id }) => id)
  const outside = await call.findOutsideBlocks(projectId, ids, ['title'])
  return found.map(({ id, type, title }) => ({
    kind: 'block',
    id,
    name: outside.has(id) ? '(by a guest)' : (title ?? ''),
    ref: refOf(id),
    type,
    projectId,
  }))
}

function tryFind(find: (ref: string, field: string) => string, ref: string): string | null {
  try {
    return find(ref, 'query')
  } catch {
    return null
  }
}
