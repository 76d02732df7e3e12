import type { BlockPatch } from './items.ts'
import type { Write } from './write.ts'

/**
 * Two writes as one, the second after the first; undefined where one cannot say both. What was made and changed is made
 * as changed, what was made and removed never was.
 */
export function followed(first: Write, second: Write): Write | undefined {
  const removed = new Set([...first.delete.blocks, ...first.delete.edges])
  const revives = [...second.create.blocks, ...second.create.edges].some(({ id }) => removed.has(id))
  if (revives) return undefined
  const blocks = joined(
    { create: first.create.blocks, update: first.update.blocks, delete: first.delete.blocks },
    { create: second.create.blocks, update: second.update.blocks, delete: second.delete.blocks },
  )
  const edges = joined(
    { create: first.create.edges, update: first.update.edges, delete: first.delete.edges },
    { create: second.create.edges, update: second.update.edges, delete: second.delete.edges },
  )
  return {
    create: { blocks: blocks.create, edges: edges.create },
    update: { blocks: blocks.update, edges: edges.update },
    delete: { blocks: blocks.delete, edges: edges.delete },
  }
}

interface OfOneKind<T extends { id: string }, P extends { id: string }> {
  create: T[]
  update: P[]
  delete: string[]
}

function joined<T extends { id: string }, P extends { id: string }>(
  first: OfOneKind<T, P>,
  second: OfOneKind<T, P>,
): OfOneKind<T, P> {
  const created = byId([...first.create, ...second.create])
  const updated = byId(first.update)
  for (const patch of second.update) {
    const made = created.get(patch.id)
    if (made) created.set(patch.id, { ...made, ...patch })
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

const PLACE = new Set(['id', 'x', 'y', 'width', 'height', 'zIndex', 'parentId'])

/** The positions that a write consists of, if it only moves blocks: there is a quicker way for those. */
export function positionsIn(write: Write): (BlockPatch & { x: number; y: number })[] | undefined {
  const { create, update, delete: gone } = write
  const others = [create.blocks, create.edges, update.edges, gone.blocks, gone.edges]
  if (others.some((items) => items.length > 0) || update.blocks.length === 0) return undefined
  return update.blocks.every(isPlace) ? update.blocks : undefined
}

const isPlace = (patch: BlockPatch): patch is BlockPatch & { x: number; y: number } =>
  patch.x !== undefined && patch.y !== undefined && Object.keys(patch).every((name) => PLACE.has(name))
