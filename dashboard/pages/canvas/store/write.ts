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

/** As the contract has it. */
const ITEMS_MAX = 1000
/** In characters; a body may have 4 MiB, and a character up to four bytes. */
const WORDS_MAX = 900_000

/** Whether one call can say all of it. */
export function fitsOneCall(write: Write): boolean {
  const counts = PARTS.flatMap((part) => [write[part].blocks.length, write[part].edges.length])
  return (
    Math.max(...counts) <= ITEMS_MAX && wordsIn([...write.create.blocks, ...write.update.blocks]) <= WORDS_MAX
  )
}

const wordsIn = (blocks: BlockPatch[]) => blocks.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)

/** The same as several writes, each small enough for one call, in an order in which nothing is missing. */
export function split(write: Write): Write[] {
  if (fitsOneCall(write)) return [write]
  const { create, update, delete: gone } = write
  return [
    ...chunks(groupsFirst(create.blocks)).map((blocks) => writeOf({ create: { blocks } })),
    ...chunks(update.blocks).map((blocks) => writeOf({ update: { blocks } })),
    ...chunks(create.edges).map((edges) => writeOf({ create: { edges } })),
    ...chunks(update.edges).map((edges) => writeOf({ update: { edges } })),
    ...chunks(gone.edges).map((edges) => writeOf({ delete: { edges } })),
    ...chunks(gone.blocks).map((blocks) => writeOf({ delete: { blocks } })),
  ]
}

function chunks<T extends BlockPatch | Edge | EdgePatch | string>(items: T[]): T[][] {
  const found: T[][] = []
  let words = 0
  for (const item of items) {
    const weight = typeof item === 'object' && 'content' in item ? (item.content?.length ?? 0) : 0
    words += weight
    const last = found.at(-1)
    if (last && last.length < ITEMS_MAX && words <= WORDS_MAX) last.push(item)
    else {
      found.push([item])
      words = weight
    }
  }
  return found
}

/** A group is there before what is in it. */
function groupsFirst(blocks: NewBlock[]): NewBlock[] {
  const left = new Map(blocks.map((block) => [block.id, block]))
  const sorted: NewBlock[] = []
  const add = (block: NewBlock) => {
    if (!left.delete(block.id)) return
    const parent = block.parentId === null ? undefined : left.get(block.parentId)
    if (parent) add(parent)
    sorted.push(block)
  }
  blocks.forEach(add)
  return sorted
}

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
