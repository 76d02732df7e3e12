import type { BlockPatch } from './items.ts'
import type { Write } from './write.ts'

/**
 * Merges two consecutive writes; undefined if one write cannot express both. An item created and then updated is created
 * with the update, an item created and then deleted is omitted.
 */
export function mergeWrites(first: Write, second: Write): Write | undefined {
  const removed = new Set([...first.delete.blocks, ...first.delete.edges])
  const recreates = [...second.create.blocks, ...second.create.edges].some(({ id }) => removed.has(id))
  if (recreates) return undefined
  const blocks = mergeItems(
    { create: first.create.blocks, update: first.update.blocks, delete: first.delete.blocks },
    { create: second.create.blocks, update: second.update.blocks, delete: second.delete.blocks },
  )
  const edges = mergeItems(
    { create: first.create.edges, update: first.update.edges, delete: first.delete.edges },
    { create: second.create.edges, update: second.update.edges, delete: second.delete.edges },
  )
  return {
    create: { blocks: blocks.create, edges: edges.create },
    update: { blocks: blocks.update, edges: edges.update },
    delete: { blocks: blocks.delete, edges: edges.delete },
  }
}

interface ItemWrites<T extends { id: string }, P extends { id: string }> {
  create: T[]
  update: P[]
  delete: string[]
}

function mergeItems<T extends { id: string }, P extends { id: string }>(
  first: ItemWrites<T, P>,
  second: ItemWrites<T, P>,
): ItemWrites<T, P> {
  const created = byId([...first.create, ...second.create])
  const updated = byId(first.update)
  for (const patch of second.update) {
    const draft = created.get(patch.id)
    if (draft) created.set(patch.id, { ...draft, ...patch })
    else updated.set(patch.id, { ...updated.get(patch.id), ...patch })
  }
  const removed = new Set(first.delete)
  for (const id of second.delete) {
    updated.delete(id)
    if (!created.delete(id)) removed.add(id)
  }
  return { create: [...created.values()], update: [...updated.values()], delete: [...removed] }
}

const byId = <T extends { id: string }>(items: T[]) => new Map(items.map((item) => [item.id, item]))

const POSITION_FIELDS = new Set(['id', 'x', 'y', 'width', 'height', 'zIndex', 'parentId'])

/** The positions of a write that only moves blocks, for which the API has a faster endpoint. */
export function positionsIn(write: Write): (BlockPatch & { x: number; y: number })[] | undefined {
  const { create, update, delete: deleted } = write
  const others = [create.blocks, create.edges, update.edges, deleted.blocks, deleted.edges]
  if (others.some((items) => items.length > 0) || update.blocks.length === 0) return undefined
  return update.blocks.every(isPosition) ? update.blocks : undefined
}

const isPosition = (patch: BlockPatch): patch is BlockPatch & { x: number; y: number } =>
  patch.x !== undefined &&
  patch.y !== undefined &&
  Object.keys(patch).every((name) => POSITION_FIELDS.has(name))
