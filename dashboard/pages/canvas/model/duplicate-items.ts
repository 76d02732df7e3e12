import { randomId } from '../../../state/random-id.ts'
import { type Edge, type Items, type NewBlock, toNewBlock } from '../store/items.ts'
import type { WriteInput } from '../store/write.ts'
import { type Box, boundingBox } from './arrange.ts'
import { collectMembers } from './groups.ts'

export interface ClipboardItems {
  blocks: NewBlock[]
  edges: Edge[]
}

export function collectItems(ids: Iterable<string>, { blocks, edges }: Items): ClipboardItems {
  const selected = [...ids]
  const all = new Set([...selected, ...collectMembers(selected, blocks)])
  return {
    blocks: [...all].flatMap((id) => blocks.get(id) ?? []).map(toNewBlock),
    edges: [...edges.values()].filter((edge) => all.has(edge.fromBlockId) && all.has(edge.toBlockId)),
  }
}

/** Assigns new ids. A block keeps its group if that exists but isn't copied. File blocks share the file. */
export function duplicateItems(
  { blocks, edges }: ClipboardItems,
  offset: Pick<Box, 'x' | 'y'>,
  hasGroup: (id: string) => boolean,
): { ids: string[]; write: WriteInput } {
  const newIds = new Map(blocks.map(({ id }) => [id, randomId()]))
  const parentOf = (parentId: string | null) => {
    if (parentId === null) return null
    return newIds.get(parentId) ?? (hasGroup(parentId) ? parentId : null)
  }
  const newBlocks = blocks.map(
    (block): NewBlock => ({
      ...block,
      id: newIds.get(block.id)!,
      x: Math.round(block.x + offset.x),
      y: Math.round(block.y + offset.y),
      parentId: parentOf(block.parentId),
      locked: false,
    }),
  )
  const newEdges = edges.map(
    (edge): Edge => ({
      ...edge,
      id: randomId(),
      fromBlockId: newIds.get(edge.fromBlockId)!,
      toBlockId: newIds.get(edge.toBlockId)!,
    }),
  )
  const copiedIds = new Set(newBlocks.map(({ id }) => id))
  return {
    ids: newBlocks
      .filter(({ parentId }) => parentId === null || !copiedIds.has(parentId))
      .map(({ id }) => id),
    write: { create: { blocks: newBlocks, edges: newEdges } },
  }
}

export function offsetToCenter({ blocks }: ClipboardItems, at: Pick<Box, 'x' | 'y'>): Pick<Box, 'x' | 'y'> {
  const bounds = boundingBox(blocks)
  return { x: at.x - bounds.x - bounds.width / 2, y: at.y - bounds.y - bounds.height / 2 }
}
