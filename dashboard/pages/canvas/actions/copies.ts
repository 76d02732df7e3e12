import { randomId } from '../../../state/random-id.ts'
import { type Edge, fieldsOf, type Items, type NewBlock } from '../store/items.ts'
import type { Wanted } from '../store/write.ts'
import { type Box, boundsOf } from './arrange.ts'
import { membersOf } from './groups.ts'

/** Blocks, with what is in them and between them, on their own: what the clipboard holds. */
export interface Clipping {
  blocks: NewBlock[]
  edges: Edge[]
}

export function clip(ids: Iterable<string>, { blocks, edges }: Items): Clipping {
  const chosen = [...ids]
  const all = new Set([...chosen, ...membersOf(chosen, blocks)])
  return {
    blocks: [...all].flatMap((id) => blocks.get(id) ?? []).map(fieldsOf),
    edges: [...edges.values()].filter((edge) => all.has(edge.fromBlockId) && all.has(edge.toBlockId)),
  }
}

/**
 * The same things once more, as new ones, moved by so much. What was in a group that has not come along stays in it
 * where that is there; what shows a file shows the same file.
 */
export function copied(
  { blocks, edges }: Clipping,
  by: Pick<Box, 'x' | 'y'>,
  hasGroup: (id: string) => boolean,
): { ids: string[]; wanted: Wanted } {
  const names = new Map(blocks.map(({ id }) => [id, randomId()]))
  const parentOf = (parentId: string | null) => {
    if (parentId === null) return null
    return names.get(parentId) ?? (hasGroup(parentId) ? parentId : null)
  }
  const made = blocks.map(
    (block): NewBlock => ({
      ...block,
      id: names.get(block.id)!,
      x: Math.round(block.x + by.x),
      y: Math.round(block.y + by.y),
      parentId: parentOf(block.parentId),
      locked: false,
    }),
  )
  const joined = edges.map(
    (edge): Edge => ({
      ...edge,
      id: randomId(),
      fromBlockId: names.get(edge.fromBlockId)!,
      toBlockId: names.get(edge.toBlockId)!,
    }),
  )
  const inside = new Set(made.map(({ id }) => id))
  return {
    ids: made.filter(({ parentId }) => parentId === null || !inside.has(parentId)).map(({ id }) => id),
    wanted: { create: { blocks: made, edges: joined } },
  }
}

/** How far a clipping has to move for its middle to be here. */
export function toMiddle({ blocks }: Clipping, at: Pick<Box, 'x' | 'y'>): Pick<Box, 'x' | 'y'> {
  const around = boundsOf(blocks)
  return { x: at.x - around.x - around.width / 2, y: at.y - around.y - around.height / 2 }
}
