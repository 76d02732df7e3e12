import { inReadingOrder } from '../actions/arrange.ts'
import type { Block, Items } from '../store/items.ts'

export interface OutlineEntry {
  block: Block
  level: number
}

/** The blocks as a tree, as one reads: groups with what is in them, everything else at the top. */
export function outlineOf(
  blocks: Items['blocks'],
  isOpen: (id: string) => boolean,
  words = '',
): OutlineEntry[] {
  const found = words.trim().toLowerCase()
  const inside = new Map<string | null, Block[]>()
  for (const block of blocks.values()) {
    const parent = block.parentId && blocks.has(block.parentId) ? block.parentId : null
    const siblings = inside.get(parent)
    if (siblings) siblings.push(block)
    else inside.set(parent, [block])
  }
  const entries: OutlineEntry[] = []
  const add = (parent: string | null, level: number) => {
    for (const block of inReadingOrder(inside.get(parent) ?? [])) {
      if (matches(block, found)) entries.push({ block, level: found ? 1 : level })
      if (found || isOpen(block.id)) add(block.id, level + 1)
    }
  }
  add(null, 1)
  return entries
}

const matches = ({ title, content }: Block, words: string) =>
  words === '' || `${title ?? ''} ${content ?? ''}`.toLowerCase().includes(words)
