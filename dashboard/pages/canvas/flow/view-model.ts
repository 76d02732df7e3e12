import { createStore } from '../../../state/store.ts'
import type { Box } from '../actions/arrange.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import { type BlockNode, type LineEdge, lineOf, nodeOf } from './nodes.ts'

export interface Selection {
  /** In the order in which they were chosen. */
  blocks: ReadonlySet<string>
  edges: ReadonlySet<string>
}

interface Hand {
  canEdit: () => boolean
  /** By a finger, which cannot be somewhere without touching it. */
  isTouched: boolean
}

const NOTHING: Selection = { blocks: new Set(), edges: new Set() }
const FLASH_MS = 1000

/**
 * What is drawn: the canvas, what is chosen of it, and where things are while they are being moved. Whatever changes,
 * only the things that look different become new objects, so that only they are drawn again.
 */
export function createBoard(store: CanvasStore, { canEdit, isTouched }: Hand) {
  const { items } = store
  const nodes = createList<BlockNode>()
  const lines = createList<LineEdge>()
  const selection = createStore(NOTHING)
  /** Where blocks are while they are dragged or resized. */
  const places = new Map<string, Box>()
  const flashing = new Set<string>()
  const drawn = createStore<{ nodes: BlockNode[]; lines: LineEdge[] }>({ nodes: [], lines: [] })

  function draw(ids: Iterable<string>) {
    const { blocks, edges } = selection.get()
    for (const id of ids) {
      const block = items.blocks.get(id)
      const look = {
        place: places.get(id),
        selected: blocks.has(id),
        // A finger that goes over the canvas moves it, wherever it begins; blocks go along once they are chosen.
        isMovable: canEdit() && (!isTouched || blocks.has(id)),
        className: flashing.has(id) ? 'canvas-flash' : undefined,
        blocks: items.blocks,
      }
      nodes.put(id, block && nodeOf(block, look))
      const edge = items.edges.get(id)
      // A line whose ends are not there yet has nowhere to be.
      const isWhole = edge && items.blocks.has(edge.fromBlockId) && items.blocks.has(edge.toBlockId)
      lines.put(id, isWhole ? lineOf(edge, edges.has(id), items.blocks) : undefined)
    }
    drawn.set({ nodes: nodes.all(), lines: lines.all() })
  }

  function select(blocks: Iterable<string>, edges: Iterable<string> = []) {
    const before = selection.get()
    const next = { blocks: new Set(blocks), edges: new Set(edges) }
    selection.set(next)
    draw([
      ...difference(before.blocks, next.blocks),
      ...difference(next.blocks, before.blocks),
      ...difference(before.edges, next.edges),
      ...difference(next.edges, before.edges),
    ])
  }

  const unwatch = store.watch((changed) => {
    const { blocks, edges } = selection.get()
    const isGone = (id: string) => changed.has(id) && !items.blocks.has(id) && !items.edges.has(id)
    if ([...blocks, ...edges].some(isGone)) {
      const stays = (id: string) => !isGone(id)
      selection.set({ blocks: new Set([...blocks].filter(stays)), edges: new Set([...edges].filter(stays)) })
    }
    draw(changed)
  })
  draw([...items.blocks.keys(), ...items.edges.keys()])

  return {
    drawn,
    selection,
    select,
    /** Draws these anew. */
    refresh: draw,
    placeOf: (id: string): Box | undefined => places.get(id) ?? items.blocks.get(id),
    moveTo(moved: Iterable<readonly [string, Box]>) {
      const ids: string[] = []
      for (const [id, box] of moved) {
        places.set(id, box)
        ids.push(id)
      }
      draw(ids)
    },
    /** Ends a movement, and says where everything came to lie. */
    land(): Map<string, Box> {
      const landed = new Map(places)
      places.clear()
      return landed
    },
    /** Somebody else changed these: they light up for a moment. */
    flash(ids: Iterable<string>) {
      const lit = [...ids].filter((id) => items.blocks.has(id))
      for (const id of lit) flashing.add(id)
      draw(lit)
      setTimeout(() => {
        for (const id of lit) flashing.delete(id)
        draw(lit)
      }, FLASH_MS)
    },
    close: unwatch,
  }
}

export type Board = ReturnType<typeof createBoard>

const difference = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((id) => !other.has(id))

/** A list that is found by id and keeps its order. */
function createList<T extends { id: string }>() {
  const found = new Map<string, T>()
  return {
    put(id: string, item: T | undefined) {
      if (item) found.set(id, item)
      else found.delete(id)
    },
    all: () => [...found.values()],
  }
}
