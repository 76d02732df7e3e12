import { isolateName, textWithNames } from '../../../../../contract/text-with-names.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, conflict } from '../../../../errors.ts'
import type { ProjectRow } from '../../../projects/projects/projects.ts'
import { type BlockRow, listBlocksById } from '../../canvas/canvas.ts'
import { orderBlocks } from './graph.ts'
import { listDownstream, listEdgesAmong } from './workflow-queries.ts'

const BLOCKS_MAX = 50

/** In topological order. */
export interface Graph {
  blocks: BlockRow[]
  after: ReadonlyMap<string, string[]>
}

/** Returns null if nothing is downstream. A cycle throws with its path. */
export async function findGraph(
  { sql }: Context,
  { orgId, id: projectId }: ProjectRow,
  first: BlockRow,
): Promise<Graph | null> {
  const ids = await listDownstream(sql, orgId, projectId, first.id, BLOCKS_MAX + 1)
  if (ids.length > BLOCKS_MAX)
    throw conflict(`A workflow has at most ${BLOCKS_MAX} agent blocks: run a block alone, or remove edges`)
  const edges = await listEdgesAmong(sql, orgId, projectId, ids)
  if (ids.length === 1 && edges.length === 0) return null
  const { order, cycle } = orderBlocks([first.id, ...ids], edges)
  const rows = new Map((await listBlocksById(sql, orgId, projectId, ids)).map((block) => [block.id, block]))
  if (cycle) throw cycleError(cycle, (id) => blockName(rows.get(id)!))
  const blocks = order.map((id) => rows.get(id)!)
  for (const block of blocks)
    if (!block.content?.trim())
      throw conflict(textWithNames`The block ${blockName(block)} has no instructions: write them first`)
  const sources = Map.groupBy(edges, ({ to }) => to)
  const after = new Map(
    order.map((id) => [id, [...new Set((sources.get(id) ?? []).map(({ from }) => from))]]),
  )
  return { blocks, after }
}

const NAME_CHARACTERS = 60

export function blockName({ title, content }: Pick<BlockRow, 'title' | 'content'>): string {
  const line = (title?.trim() || content?.trim() || 'without a title').split('\n', 1)[0]!
  return line.length > NAME_CHARACTERS ? `${line.slice(0, NAME_CHARACTERS).toWellFormed()}…` : line
}

const cycleError = (path: string[], name: (id: string) => string) =>
  new ApiError(
    'CONFLICT',
    `The edges between these blocks form a cycle: ${path.map((id) => isolateName(name(id))).join(' → ')}. Remove one, or run a block alone`,
    { details: { reason: 'cycle', path } },
  )
