import type { Sql } from '../../../../database/database.ts'
import type { BlockRow, EdgeRow } from '../records.ts'
import type { NormalizedWrite } from './canvas-write.ts'
import { listBlocksById, listBlocksIn, listEdges, listWithAncestors } from './read-queries.ts'

/** The rows that a write names or changes indirectly. */
export interface AffectedItems {
  blocks: Map<string, BlockRow>
  hierarchy: Map<string, Pick<BlockRow, 'type' | 'parentId'>>
  edges: Map<string, EdgeRow>
}

export async function loadAffected(
  sql: Sql,
  orgId: string,
  id: string,
  write: NormalizedWrite,
): Promise<AffectedItems> {
  const { create, update } = write
  const idsOf = (items: { id: string }[]) => items.map((item) => item.id)
  /** Groups that are deleted or change their type: the blocks in them leave the group. */
  const dissolved = [
    ...write.delete.blocks,
    ...update.blocks.flatMap((block) => (block.type && block.type !== 'group' ? [block.id] : [])),
  ]
  const referenced = new Set([
    ...idsOf(create.blocks),
    ...[...create.blocks, ...update.blocks].flatMap(({ parentId }) => parentId ?? []),
    ...[...create.edges, ...update.edges].flatMap((edge) =>
      [edge.fromBlockId ?? [], edge.toBlockId ?? []].flat(),
    ),
  ])
  const edgeIds = [...idsOf(create.edges), ...idsOf(update.edges), ...write.delete.edges]
  const [blocks, inside, ancestry, edges] = await Promise.all([
    listBlocksById(sql, orgId, id, [...idsOf(update.blocks), ...write.delete.blocks]),
    listBlocksIn(sql, orgId, id, dissolved),
    listWithAncestors(sql, orgId, id, [...referenced]),
    listEdges(sql, orgId, id, { ids: edgeIds, blockIds: write.delete.blocks }),
  ])
  const byId = <R extends { id: string }>(rows: R[]) => new Map(rows.map((row) => [row.id, row]))
  const byBlockId = byId([...inside, ...blocks])
  return {
    blocks: byBlockId,
    hierarchy: byId(
      [...ancestry, ...byBlockId.values()].map(({ id, type, parentId }) => ({ id, type, parentId })),
    ),
    edges: byId(edges),
  }
}
