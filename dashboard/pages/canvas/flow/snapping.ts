import { createStore } from '../../../state/store.ts'
import { type Box, boundingBox, overlaps } from '../model/arrange.ts'
import type { Items } from '../store/items.ts'
import { type Gap, type Guide, snapMove, snapResize } from './guides.ts'

/** In screen pixels. */
const REACH = 6

interface SnappingOptions {
  blocks: Items['blocks']
  /** The grid replaces it. */
  isOn: () => boolean
  /** Blocks outside the viewport don't snap: the user wouldn't see why. */
  visible: () => { box: Box; zoom: number }
}

interface ShownGuides {
  guides: readonly Guide[]
  gaps: readonly Gap[]
}

const NO_GUIDES: ShownGuides = { guides: [], gaps: [] }

export function createSnapping({ blocks, isOn, visible }: SnappingOptions) {
  const shown = createStore<ShownGuides>(NO_GUIDES)
  /** Set while the user holds the key that turns snapping off. */
  let isFree = false

  function findNeighbours(moving: { has: (id: string) => boolean }) {
    const { box, zoom } = visible()
    const others: Box[] = []
    for (const block of blocks.values())
      if (!moving.has(block.id) && block.rotation === 0 && overlaps(block, box)) others.push(block)
    return { others, reach: REACH / zoom }
  }

  function clear() {
    if (shown.get() !== NO_GUIDES) shown.set(NO_GUIDES)
  }

  return {
    shown,
    clear,
    setFree: (next: boolean) => (isFree = next),
    move(leaders: readonly Box[], moving: { has: (id: string) => boolean }): { dx: number; dy: number } {
      if (!isOn() || isFree || leaders.length === 0) {
        clear()
        return { dx: 0, dy: 0 }
      }
      const { others, reach } = findNeighbours(moving)
      const { dx, dy, guides, gaps } = snapMove(boundingBox(leaders), others, reach)
      if (guides.length + gaps.length > 0) shown.set({ guides, gaps })
      else clear()
      return { dx, dy }
    },
    resize(id: string, box: Box): Box {
      const before = blocks.get(id)
      // An image keeps its proportions, so its edges can't move one by one.
      if (!before || before.type === 'image' || !isOn() || isFree) {
        clear()
        return box
      }
      const { others, reach } = findNeighbours(new Set([id]))
      const snapped = snapResize(box, before, others, reach)
      if (snapped.guides.length > 0) shown.set({ guides: snapped.guides, gaps: [] })
      else clear()
      return snapped.box
    },
  }
}

export type Snapping = ReturnType<typeof createSnapping>
