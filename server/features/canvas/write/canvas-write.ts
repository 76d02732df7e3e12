import type { BlockFields, EdgeRow } from '../records.ts'

/** What is to become of a canvas. Nothing is named twice; new blocks may be named by what else is in it. */
export interface CanvasWrite {
  create?: { blocks?: (BlockFields & { id: string })[]; edges?: EdgeRow[] }
  update?: {
    blocks?: ({ id: string } & Partial<BlockFields>)[]
    /** Only what brings back an edge of long ago has its ends, too. */
    edges?: ({ id: string } & Partial<EdgeRow>)[]
  }
  delete?: { blocks?: string[]; edges?: string[] }
}

/** How a write is asked for. */
export interface WriteOptions {
  /** Where in the request something was named, for refusals. */
  nameOf: (verb: 'create' | 'update' | 'delete', table: 'blocks' | 'edges', index: number) => string
  /**
   * Brings back what once was. Files may be gone since; what it would be in or join may be, too, and is then left out
   * rather than refused.
   */
  isRestoring: boolean
}

export type NormalizedWrite = ReturnType<typeof normalizeIds>

/** Ids are compared as text here, so they are all written in the way that the database writes them. */
export function normalizeIds(write: CanvasWrite) {
  const lower = (id: string) => id.toLowerCase()
  const lowerOf = (block: { id: string } & Partial<BlockFields>) => ({
    ...block,
    id: lower(block.id),
    ...(block.parentId && { parentId: lower(block.parentId) }),
    ...(block.fileId && { fileId: lower(block.fileId) }),
  })
  return {
    create: {
      blocks: (write.create?.blocks ?? []).map((block) => ({ ...block, ...lowerOf(block) })),
      edges: (write.create?.edges ?? []).map((edge) => ({
        ...edge,
        id: lower(edge.id),
        fromBlockId: lower(edge.fromBlockId),
        toBlockId: lower(edge.toBlockId),
      })),
    },
    update: {
      blocks: (write.update?.blocks ?? []).map(lowerOf),
      edges: (write.update?.edges ?? []).map((edge) => ({ ...edge, id: lower(edge.id) })),
    },
    delete: {
      blocks: (write.delete?.blocks ?? []).map(lower),
      edges: (write.delete?.edges ?? []).map(lower),
    },
  }
}
