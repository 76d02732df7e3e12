import { type BlockPatch, type Edge, type EdgePatch, fieldsOf, type Items, type NewBlock } from './items.ts'

/** A change of the canvas as one whole: all of it happens, or none. Every value is the new one, never a difference. */
export interface Write {
  create: { blocks: NewBlock[]; edges: Edge[] }
  update: { blocks: BlockPatch[]; edges: EdgePatch[] }
  delete: { blocks: string[]; edges: string[] }
}

/** The parts that something is wanted of. */
export type Wanted = { [Part in keyof Write]?: Partial<Write[Part]> }

export const writeOf = ({ create, update, delete: gone }: Wanted): Write => ({
  create: { blocks: create?.blocks ?? [], edges: create?.edges ?? [] },
  update: { blocks: update?.blocks ?? [], edges: update?.edges ?? [] },
  delete: { blocks: gone?.blocks ?? [], edges: gone?.edges ?? [] },
})

export const PARTS = ['create', 'update', 'delete'] as const

export const isEmpty = (write: Write) =>
  PARTS.every((part) => write[part].blocks.length === 0 && write[part].edges.length === 0)

/** The most things of one kind, which is what the server limits. */
export const sizeOf = (write: Write) =>
  Math.max(...PARTS.flatMap((part) => [write[part].blocks.length, write[part].edges.length]))

/**
 * What a removal takes along: the connections of a block go with it, and what was in a group stays where it is, in no
 * group. Said out loud, so that undoing brings that back too.
 */
export function complete(write: Write, { blocks, edges }: Items): Write {
  const gone = new Set(write.delete.blocks)
  if (gone.size === 0) return write
  const cut = new Set(write.delete.edges)
  for (const edge of edges.values()) {
    if (gone.has(edge.fromBlockId) || gone.has(edge.toBlockId)) cut.add(edge.id)
  }
  const patches = new Map(write.update.blocks.map((patch) => [patch.id, patch]))
  for (const { id, parentId } of blocks.values()) {
    if (parentId === null || !gone.has(parentId) || gone.has(id)) continue
    // Nothing is named twice, and where it goes instead may have been said.
    patches.set(id, { id, parentId: null, ...patches.get(id) })
  }
  return {
    ...write,
    update: { ...write.update, blocks: [...patches.values()] },
    delete: { blocks: write.delete.blocks, edges: [...cut] },
  }
}

/** What is left to do of a write when others have been busy meanwhile: what is gone cannot be changed or connected. */
export function pruned(write: Write, { blocks, edges }: Items): Write {
  const made = new Set(write.create.blocks.map(({ id }) => id))
  const gone = new Set(write.delete.blocks)
  const willBe = (id: string) => made.has(id) || (blocks.has(id) && !gone.has(id))
  const inPlace = <T extends { parentId?: string | null }>(block: T): T =>
    block.parentId && !willBe(block.parentId) ? { ...block, parentId: null } : block
  return {
    create: {
      blocks: write.create.blocks.filter(({ id }) => !blocks.has(id)).map(inPlace),
      edges: write.create.edges.filter(
        (edge) => !edges.has(edge.id) && willBe(edge.fromBlockId) && willBe(edge.toBlockId),
      ),
    },
    update: {
      blocks: write.update.blocks.filter(({ id }) => willBe(id)).map(inPlace),
      edges: write.update.edges.filter(({ id }) => edges.has(id)),
    },
    delete: {
      blocks: write.delete.blocks.filter((id) => blocks.has(id)),
      edges: write.delete.edges.filter((id) => edges.has(id)),
    },
  }
}

/** What takes a write back, seen from how things are before it. */
export function inverseOf(write: Write, { blocks, edges }: Items): Write {
  const before = (patch: BlockPatch): BlockPatch[] => {
    const block = blocks.get(patch.id)
    if (!block) return []
    const fields = Object.keys(patch).map((name) => [name, block[name as keyof typeof block]])
    return [Object.fromEntries(fields) as BlockPatch]
  }
  return {
    create: {
      blocks: write.delete.blocks.flatMap((id) => blocks.get(id) ?? []).map(fieldsOf),
      edges: write.delete.edges.flatMap((id) => edges.get(id) ?? []),
    },
    update: {
      blocks: write.update.blocks.flatMap(before),
      edges: write.update.edges.flatMap(({ id }) => {
        const edge = edges.get(id)
        return edge ? [{ id, label: edge.label }] : []
      }),
    },
    delete: {
      blocks: write.create.blocks.map(({ id }) => id),
      edges: write.create.edges.map(({ id }) => id),
    },
  }
}
