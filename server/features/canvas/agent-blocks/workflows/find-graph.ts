import { isolateName, textWithNames } from '../../../../../contract/text-with-names.ts'
import type { Context } from '../../../../context.ts'
import { ApiError, conflict } from '../../../../errors.ts'
import type { ProjectRow } from '../../../projects/projects/projects.ts'
import { type BlockRow, listBlocksById } from '../../canvas/canvas.ts'
import { isStep, readSteps } from '../steps.ts'
import { blockName } from './block-name.ts'
import { orderBlocks } from './graph.ts'
import { type ConditionalEdge, listDownstream, listIncoming } from './workflow-queries.ts'

const BLOCKS_MAX = 50
/** Each takes up to 10 ms. */
const CONDITIONS_MAX = 200

/** In topological order. */
export interface Graph {
  blocks: BlockRow[]
  /** All that lead to a block, also from blocks outside the workflow. */
  incoming: ReadonlyMap<string, ConditionalEdge[]>
}

/** Returns null if nothing is downstream and the block only calls its agent. A cycle throws with its path. */
export async function findGraph(
  { sql }: Context,
  { orgId, id: projectId }: ProjectRow,
  first: BlockRow,
  { downstream }: { downstream: boolean },
): Promise<Graph | null> {
  const ids = downstream ? await listDownstream(sql, orgId, projectId, first.id, BLOCKS_MAX + 1) : [first.id]
  if (ids.length > BLOCKS_MAX)
    throw conflict(`A workflow has at most ${BLOCKS_MAX} agent blocks: run a block alone, or remove edges`)
  const edges = await listIncoming(sql, orgId, projectId, ids)
  const inside = edges.filter(({ from }) => ids.includes(from))
  if (ids.length === 1 && inside.length === 0 && !isStep(first)) return null
  if (edges.filter(({ condition }) => condition !== null).length > CONDITIONS_MAX)
    throw conflict(`A workflow has at most ${CONDITIONS_MAX} conditions: run a block alone, or remove some`)
  const { order, cycle } = orderBlocks([first.id, ...ids], inside)
  const rows = new Map((await listBlocksById(sql, orgId, projectId, ids)).map((block) => [block.id, block]))
  if (cycle) throw cycleError(cycle, (id) => blockName(rows.get(id)!))
  const blocks = order.map((id) => rows.get(id)!)
  for (const block of blocks)
    if (!block.content?.trim() && !readSteps(block).step)
      throw conflict(textWithNames`The block ${blockName(block)} has no instructions: write them first`)
  return { blocks, incoming: Map.groupBy(edges, ({ to }) => to) }
}

const cycleError = (path: string[], name: (id: string) => string) =>
  new ApiError(
    'CONFLICT',
    `The edges between these blocks form a cycle: ${path.map((id) => isolateName(name(id))).join(' → ')}. Remove one, or run a block alone`,
    { details: { reason: 'cycle', path } },
  )
