import { ApiFailure } from '../../../../client/client.ts'
import type { Block, Canvas, Change, Edge, NewBlock, WriteResult } from './items.ts'
import { unsavedBlock } from './items.ts'
import type { Write } from './write.ts'

/** For store tests. */
export function createFakeServer() {
  const blocks = new Map<string, Block>()
  const edges = new Map<string, Edge>()
  const changes: Change[] = []
  const results = new Map<string, WriteResult>()

  const record = (change: Pick<Change, 'entity' | 'itemId' | 'action' | 'before' | 'after'>) =>
    changes.push({ ...change, seq: changes.length + 1, by: null, runId: null, createdAt: '' })

  function validate(write: Write) {
    const created = new Set(write.create.blocks.map(({ id }) => id))
    const exists = (id: string) => blocks.has(id) || created.has(id)
    const ids = [...write.create.blocks, ...write.update.blocks]
      .map(({ id }) => id)
      .concat(write.delete.blocks)
    const isInvalid =
      new Set(ids).size < ids.length ||
      write.create.blocks.some(({ id }) => blocks.has(id)) ||
      write.create.edges.some((edge) => !exists(edge.fromBlockId) || !exists(edge.toBlockId)) ||
      write.update.blocks.some(({ id }) => !blocks.has(id)) ||
      write.update.edges.some(({ id }) => !edges.has(id)) ||
      write.delete.blocks.some((id) => !blocks.has(id)) ||
      write.delete.edges.some((id) => !edges.has(id))
    if (isInvalid) throw new ApiFailure(404, { code: 'NOT_FOUND', message: 'Block not found' })
  }

  function apply(write: Write): WriteResult {
    validate(write)
    for (const block of write.create.blocks) {
      blocks.set(block.id, { ...unsavedBlock(block, 'p'), version: changes.length + 1 })
      record({ entity: 'block', itemId: block.id, action: 'created', before: null, after: { ...block } })
    }
    for (const edge of write.create.edges) {
      edges.set(edge.id, edge)
      record({ entity: 'edge', itemId: edge.id, action: 'created', before: null, after: { ...edge } })
    }
    for (const { id, ...patch } of write.update.blocks) {
      blocks.set(id, { ...blocks.get(id)!, ...patch, version: changes.length + 1 })
      record({ entity: 'block', itemId: id, action: 'updated', before: {}, after: patch })
    }
    for (const { id, ...patch } of write.update.edges) {
      edges.set(id, { ...edges.get(id)!, ...patch })
      record({ entity: 'edge', itemId: id, action: 'updated', before: {}, after: patch })
    }
    const deletedEdges = [...edges.values()].filter(
      ({ id, fromBlockId, toBlockId }) =>
        write.delete.edges.includes(id) ||
        write.delete.blocks.includes(fromBlockId) ||
        write.delete.blocks.includes(toBlockId),
    )
    for (const { id } of deletedEdges) {
      edges.delete(id)
      record({ entity: 'edge', itemId: id, action: 'deleted', before: {}, after: null })
    }
    for (const id of write.delete.blocks) {
      blocks.delete(id)
      record({ entity: 'block', itemId: id, action: 'deleted', before: {}, after: null })
    }
    const touched = [...write.create.blocks, ...write.update.blocks].flatMap(({ id }) => blocks.get(id) ?? [])
    return {
      blocks: touched,
      edges: [...write.create.edges, ...write.update.edges].flatMap(({ id }) => edges.get(id) ?? []),
      deleted: { blocks: write.delete.blocks, edges: deletedEdges.map(({ id }) => id) },
      seq: changes.length,
    }
  }

  return {
    changes,
    canvas: (): Pick<Canvas, 'items' | 'edges' | 'seq'> => ({
      items: [...blocks.values()],
      edges: [...edges.values()],
      seq: changes.length,
    }),
    /** Idempotent by key. */
    send(write: Write, key: string): WriteResult {
      const result = results.get(key) ?? apply(write)
      results.set(key, result)
      return result
    },
  }
}

export const testBlock = (id: string, fields: Partial<NewBlock> = {}): NewBlock => ({
  id,
  type: 'text',
  x: 0,
  y: 0,
  width: 240,
  height: 120,
  rotation: 0,
  zIndex: 0,
  parentId: null,
  title: null,
  content: null,
  fileId: null,
  color: null,
  locked: false,
  metadata: {},
  ...fields,
})
