import type { Sql } from '../../../../database/database.ts'
import type { BlockFields, BlockRow, EdgeRow } from '../records.ts'
import { listBlocksById, listBlocksIn, listEdges, listWithAncestors } from './queries.ts'

/** Without a `zIndex`, placed above all other blocks. */
export type NewBlock = Omit<BlockFields, 'zIndex'> & { id: string; zIndex?: number | undefined }

/** Edges removed by earlier versions have no style or condition. */
export type NewEdge = Omit<EdgeRow, 'style' | 'condition'> & Partial<Pick<EdgeRow, 'style' | 'condition'>>

/** Each id occurs once. Parts can refer to new blocks. */
export interface CanvasWrite {
  create?: { blocks?: NewBlock[]; edges?: NewEdge[] }
  update?: {
    blocks?: ({ id: string } & Partial<BlockFields>)[]
    /** Only a restore changes an edge's ends. */
    edges?: ({ id: string } & Partial<EdgeRow>)[]
  }
  delete?: { blocks?: string[]; edges?: string[] }
}

export interface WriteOptions {
  /** Names the request field in errors. */
  fieldOf: (verb: 'create' | 'update' | 'delete', table: 'blocks' | 'edges', index: number) => string
  /** Doesn't check for deleted files. Drops a missing group or edge end instead of refusing it. */
  isRestoring: boolean
  /** Agent run state, which no caller can write. */
  isRuntime: boolean
}

export type NormalizedWrite = ReturnType<typeof normalizeIds>

export type StackedWrite = Omit<NormalizedWrite, 'create'> & {
  create: { blocks: (BlockFields & { id: string })[]; edges: EdgeRow[] }
}

/** Compared as text, so lowercased as in PostgreSQL. */
export function normalizeIds(write: CanvasWrite) {
  const lower = (id: string) => id.toLowerCase()
  const normalizeBlock = (block: { id: string } & Partial<BlockFields>) => ({
    ...block,
    id: lower(block.id),
    ...(block.parentId && { parentId: lower(block.parentId) }),
    ...(block.fileId && { fileId: lower(block.fileId) }),
  })
  return {
    create: {
      blocks: (write.create?.blocks ?? []).map((block) => ({ ...block, ...normalizeBlock(block) })),
      edges: (write.create?.edges ?? []).map((edge) => ({
        ...edge,
        style: edge.style ?? {},
        condition: edge.condition ?? null,
        id: lower(edge.id),
        fromBlockId: lower(edge.fromBlockId),
        toBlockId: lower(edge.toBlockId),
      })),
    },
    update: {
      blocks: (write.update?.blocks ?? []).map(normalizeBlock),
      edges: (write.update?.edges ?? []).map((edge) => ({ ...edge, id: lower(edge.id) })),
    },
    delete: {
      blocks: (write.delete?.blocks ?? []).map(lower),
      edges: (write.delete?.edges ?? []).map(lower),
    },
  }
}

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
  /** Their blocks leave the group. */
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
