import { createStore } from '../../../state/store.ts'
import type { Box } from '../model/arrange.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import { type BlockNode, type LineEdge, toBlockNode, toLineEdge } from './nodes.ts'

export interface Selection {
  /** In selection order. */
  blocks: ReadonlySet<string>
  edges: ReadonlySet<string>
}

interface ViewModelOptions {
  canEdit: () => boolean
  /** On touch devices a drag pans, so only selected blocks are draggable. */
  isTouch: boolean
}

const EMPTY: Selection = { blocks: new Set(), edges: new Set() }
const MARK_MS = 1000

type Mark = 'canvas-flash' | 'canvas-arriving'

/**
 * What React Flow renders: the store's items, the selection, and drag boxes. Only changed items become new objects, so
 * only they render again.
 */
export function createViewModel(store: CanvasStore, { canEdit, isTouch }: ViewModelOptions) {
  const { items } = store
  const nodes = createList<BlockNode>()
  const lines = createList<LineEdge>()
  const selection = createStore(EMPTY)
  const dragBoxes = new Map<string, Box>()
  const marks = new Map<string, Mark>()
  const rendered = createStore<{ nodes: BlockNode[]; lines: LineEdge[] }>({ nodes: [], lines: [] })

  function update(ids: Iterable<string>) {
    const { blocks, edges } = selection.get()
    for (const id of ids) {
      const block = items.blocks.get(id)
      const options = {
        dragBox: dragBoxes.get(id),
        selected: blocks.has(id),
        isDraggable: canEdit() && (!isTouch || blocks.has(id)),
        className: marks.get(id),
        blocks: items.blocks,
      }
      nodes.put(id, block && toBlockNode(block, options))
      const edge = items.edges.get(id)
      // An edge can arrive before its blocks.
      const isComplete = edge && items.blocks.has(edge.fromBlockId) && items.blocks.has(edge.toBlockId)
      lines.put(id, isComplete ? toLineEdge(edge, edges.has(id), items.blocks) : undefined)
    }
    rendered.set({ nodes: nodes.all(), lines: lines.all() })
  }

  function select(blocks: Iterable<string>, edges: Iterable<string> = []) {
    const previous = selection.get()
    const next = { blocks: new Set(blocks), edges: new Set(edges) }
    selection.set(next)
    update([
      ...difference(previous.blocks, next.blocks),
      ...difference(next.blocks, previous.blocks),
      ...difference(previous.edges, next.edges),
      ...difference(next.edges, previous.edges),
    ])
  }

  const unwatch = store.watch((changed) => {
    const { blocks, edges } = selection.get()
    const isDeleted = (id: string) => changed.has(id) && !items.blocks.has(id) && !items.edges.has(id)
    if ([...blocks, ...edges].some(isDeleted)) {
      const remains = (id: string) => !isDeleted(id)
      selection.set({
        blocks: new Set([...blocks].filter(remains)),
        edges: new Set([...edges].filter(remains)),
      })
    }
    update(changed)
  })
  update([...items.blocks.keys(), ...items.edges.keys()])

  return {
    rendered,
    selection,
    select,
    refresh: update,
    currentBox: (id: string): Box | undefined => dragBoxes.get(id) ?? items.blocks.get(id),
    moveTo(moved: Iterable<readonly [string, Box]>) {
      const ids: string[] = []
      for (const [id, box] of moved) {
        dragBoxes.set(id, box)
        ids.push(id)
      }
      update(ids)
    },
    commitDrag(): Map<string, Box> {
      const boxes = new Map(dragBoxes)
      dragBoxes.clear()
      return boxes
    },
    /** Animates blocks once: a change, or an agent's new block. */
    mark(ids: Iterable<string>, mark: Mark) {
      const marked = [...ids].filter((id) => items.blocks.has(id))
      if (marked.length === 0) return
      for (const id of marked) marks.set(id, mark)
      update(marked)
      setTimeout(() => {
        for (const id of marked) marks.delete(id)
        update(marked)
      }, MARK_MS)
    },
    close: unwatch,
  }
}

export type ViewModel = ReturnType<typeof createViewModel>

const difference = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  [...one].filter((id) => !other.has(id))

/** In insertion order. */
function createList<T extends { id: string }>() {
  const byId = new Map<string, T>()
  return {
    put(id: string, item: T | undefined) {
      if (item) byId.set(id, item)
      else byId.delete(id)
    },
    all: () => [...byId.values()],
  }
}
