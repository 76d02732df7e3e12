import { inReadingOrder } from '../model/arrange.ts'
import type { Block, Items } from '../store/items.ts'

export interface OutlineEntry {
  block: Block
  level: number
}

/** In reading order, members under their groups. */
export function outlineEntries(
  blocks: Items['blocks'],
  isOpen: (id: string) => boolean,
  search = '',
): OutlineEntry[] {
  const term = search.trim().toLowerCase()
  const children = new Map<string | null, Block[]>()
  for (const block of blocks.values()) {
    const parent = block.parentId && blocks.has(block.parentId) ? block.parentId : null
    const siblings = children.get(parent)
    if (siblings) siblings.push(block)
    else children.set(parent, [block])
  }
  const entries: OutlineEntry[] = []
  const add = (parent: string | null, level: number) => {
    for (const block of inReadingOrder(children.get(parent) ?? [])) {
      if (matches(block, term)) entries.push({ block, level: term ? 1 : level })
      if (term || isOpen(block.id)) add(block.id, level + 1)
    }
  }
  add(null, 1)
  return entries
}

const matches = ({ title, content }: Block, term: string) =>
  term === '' || `${title ?? ''} ${content ?? ''}`.toLowerCase().includes(term)
