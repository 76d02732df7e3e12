import { type BlockPatch, type Edge, type EdgePatch, type Items, type NewBlock, toNewBlock } from './items.ts'

/** Atomic. Values are absolute, never deltas. */
export interface Write {
  create: { blocks: NewBlock[]; edges: Edge[] }
  update: { blocks: BlockPatch[]; edges: EdgePatch[] }
  delete: { blocks: string[]; edges: string[] }
}

export type WriteInput = { [Part in keyof Write]?: Partial<Write[Part]> }

export const toWrite = ({ create, update, delete: deleted }: WriteInput): Write => ({
  create: { blocks: create?.blocks ?? [], edges: create?.edges ?? [] },
  update: { blocks: update?.blocks ?? [], edges: update?.edges ?? [] },
  delete: { blocks: deleted?.blocks ?? [], edges: deleted?.edges ?? [] },
})

export const PARTS = ['create', 'update', 'delete'] as const

export const isEmpty = (write: Write) =>
  PARTS.every((part) => write[part].blocks.length === 0 && write[part].edges.length === 0)

/** The contract's limit. */
const ITEMS_MAX = 1000
/** Request bodies are limited to 4 MiB, and a character takes up to four bytes. */
const CONTENT_LENGTH_MAX = 900_000

export function fitsOneRequest(write: Write): boolean {
  const counts = PARTS.flatMap((part) => [write[part].blocks.length, write[part].edges.length])
  return (
    Math.max(...counts) <= ITEMS_MAX &&
    contentLength([...write.create.blocks, ...write.update.blocks]) <= CONTENT_LENGTH_MAX
  )
}

const contentLength = (blocks: BlockPatch[]) =>
  blocks.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)

/** Orders requests so every reference exists. */
export function split(write: Write): Write[] {
  if (fitsOneRequest(write)) return [write]
  const { create, update, delete: deleted } = write
  return [
    ...chunks(groupsFirst(create.blocks)).map((blocks) => toWrite({ create: { blocks } })),
    ...chunks(update.blocks).map((blocks) => toWrite({ update: { blocks } })),
    ...chunks(create.edges).map((edges) => toWrite({ create: { edges } })),
    ...chunks(update.edges).map((edges) => toWrite({ update: { edges } })),
    ...chunks(deleted.edges).map((edges) => toWrite({ delete: { edges } })),
    ...chunks(deleted.blocks).map((blocks) => toWrite({ delete: { blocks } })),
  ]
}

function chunks<T extends BlockPatch | Edge | EdgePatch | string>(items: T[]): T[][] {
  const result: T[][] = []
  let length = 0
  for (const item of items) {
    const weight = typeof item === 'object' && 'content' in item ? (item.content?.length ?? 0) : 0
    length += weight
    const last = result.at(-1)
    if (last && last.length < ITEMS_MAX && length <= CONTENT_LENGTH_MAX) last.push(item)
    else {
      result.push([item])
      length = weight
    }
  }
  return result
}

/** Parents before their members. */
function groupsFirst(blocks: NewBlock[]): NewBlock[] {
  const remaining = new Map(blocks.map((block) => [block.id, block]))
  const sorted: NewBlock[] = []
  const add = (block: NewBlock) => {
    if (!remaining.delete(block.id)) return
    const parent = block.parentId === null ? undefined : remaining.get(block.parentId)
    if (parent) add(parent)
    sorted.push(block)
  }
  blocks.forEach(add)
  return sorted
}

/** Also deletes a block's edges and releases a group's members. Explicit, so undo restores them too. */
export function withCascades(write: Write, { blocks, edges }: Items): Write {
  const deleted = new Set(write.delete.blocks)
  if (deleted.size === 0) return write
  const deletedEdges = new Set(write.delete.edges)
  for (const edge of edges.values()) {
    if (deleted.has(edge.fromBlockId) || deleted.has(edge.toBlockId)) deletedEdges.add(edge.id)
  }
  const patches = new Map(write.update.blocks.map((patch) => [patch.id, patch]))
  for (const { id, parentId } of blocks.values()) {
    if (parentId === null || !deleted.has(parentId) || deleted.has(id)) continue
    // The write may already move the member to another parent.
    patches.set(id, { id, parentId: null, ...patches.get(id) })
  }
  return {
    ...write,
    update: { ...write.update, blocks: [...patches.values()] },
    delete: { blocks: write.delete.blocks, edges: [...deletedEdges] },
  }
}

/** Drops updates and edges for items other users deleted. */
export function prune(write: Write, { blocks, edges }: Items): Write {
  const created = new Set(write.create.blocks.map(({ id }) => id))
  const deleted = new Set(write.delete.blocks)
  const willExist = (id: string) => created.has(id) || (blocks.has(id) && !deleted.has(id))
  const withValidParent = <T extends { parentId?: string | null }>(block: T): T =>
    block.parentId && !willExist(block.parentId) ? { ...block, parentId: null } : block
  return {
    create: {
      blocks: write.create.blocks.filter(({ id }) => !blocks.has(id)).map(withValidParent),
      edges: write.create.edges.filter(
        (edge) => !edges.has(edge.id) && willExist(edge.fromBlockId) && willExist(edge.toBlockId),
      ),
    },
    update: {
      blocks: write.update.blocks.filter(({ id }) => willExist(id)).map(withValidParent),
      edges: write.update.edges.filter(({ id }) => edges.has(id)),
    },
    delete: {
      blocks: write.delete.blocks.filter((id) => blocks.has(id)),
      edges: write.delete.edges.filter((id) => edges.has(id)),
    },
  }
}

/** Relative to the state before the write. */
export function invertWrite(write: Write, { blocks, edges }: Items): Write {
  const previousFields = <P extends object>(item: object | undefined, patch: P): P[] => {
    if (!item) return []
    const fields = Object.keys(patch).map((name) => [name, item[name as keyof typeof item]])
    return [Object.fromEntries(fields) as P]
  }
  return {
    create: {
      blocks: write.delete.blocks.flatMap((id) => blocks.get(id) ?? []).map(toNewBlock),
      edges: write.delete.edges.flatMap((id) => edges.get(id) ?? []),
    },
    update: {
      blocks: write.update.blocks.flatMap((patch) => previousFields(blocks.get(patch.id), patch)),
      edges: write.update.edges.flatMap((patch) => previousFields(edges.get(patch.id), patch)),
    },
    delete: {
      blocks: write.create.blocks.map(({ id }) => id),
      edges: write.create.edges.map(({ id }) => id),
    },
  }
}

/** Undefined if one write can't express both. Create then update becomes one create; create then delete is omitted. */
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

/** For writes that only move blocks, which have a faster endpoint. */
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
