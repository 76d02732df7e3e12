import type { Sql } from '../../../database/database.ts'
import type { ProjectRow } from '../../projects/projects.ts'
import type { BlockRow, EdgeRow } from '../records.ts'
import type { NormalizedWrite } from './canvas-write.ts'
import { listBlocksById, listBlocksIn, listEdges, listWithAncestors } from './read-queries.ts'

/** What was read of the canvas: all that the write names, and what hangs on that. */
export interface AffectedItems {
  blocks: Map<string, BlockRow>
  hierarchy: Map<string, Pick<BlockRow, 'type' | 'parentId'>>
  edges: Map<string, EdgeRow>
}

export async function loadAffected(
  sql: Sql,
  { orgId, id }: ProjectRow,
  write: NormalizedWrite,
): Promise<AffectedItems> {
  const { create, update } = write
  const idsOf = (items: { id: string }[]) => items.map((item) => item.id)
  /** Groups that may be none any more: what is in them has to be let go. */
  const ceasing = [
    ...write.delete.blocks,
    ...update.blocks.flatMap((block) => (block.type && block.type !== 'group' ? [block.id] : [])),
  ]
  const named = new Set([
    ...idsOf(create.blocks),
    ...[...create.blocks, ...update.blocks].flatMap(({ parentId }) => parentId ?? []),
    ...[...create.edges, ...update.edges].flatMap((edge) =>
      [edge.fromBlockId ?? [], edge.toBlockId ?? []].flat(),
    ),
  ])
  const edgeIds = [...idsOf(create.edges), ...idsOf(update.edges), ...write.delete.edges]
  const [blocks, inside, places, edges] = await Promise.all([
    listBlocksById(sql, orgId, id, [...idsOf(update.blocks), ...write.delete.blocks]),
    listBlocksIn(sql, orgId, id, ceasing),
    listWithAncestors(sql, orgId, id, [...named]),
    listEdges(sql, orgId, id, { ids: edgeIds, blockIds: write.delete.blocks }),
  ])
  const byId = <R extends { id: string }>(rows: R[]) => new Map(rows.map((row) => [row.id, row]))
  const known = byId([...inside, ...blocks])
  return {
    blocks: known,
    hierarchy: byId([...places, ...known.values()].map(({ id, type, parentId }) => ({ id, type, parentId }))),
    edges: byId(edges),
  }
}
