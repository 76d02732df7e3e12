import type { EdgeChange, NodeChange } from '@xyflow/react'
import { createStore } from '../../../state/store.ts'
import type { Box } from '../actions/arrange.ts'
import { groupAt, membersOf, outermost } from '../actions/groups.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import type { BlockPatch } from '../store/items.ts'
import type { BlockNode, LineEdge } from './nodes.ts'
import type { Board } from './view-model.ts'

interface Drag {
  /** Where everything was that moves: what is dragged, and what is in the groups among it. */
  from: Map<string, Box>
  /** Of what moves along: with what. */
  leaders: Map<string, string>
}

interface Library {
  /** Whether something painted stays chosen when an element is: of what it does not know, the library says nothing. */
  stays: (id: string) => boolean
  /** Whether a frame is being drawn around what is painted, which decides by itself what is chosen. */
  isFraming: () => boolean
}

/** Turns what the pointer does into places on the board, and into one change when it lets go. */
export function createMoving(store: CanvasStore, board: Board) {
  const { items } = store
  /** The group that what is dragged would land in. */
  const landing = createStore<string | null>(null)
  let drag: Drag | undefined
  let library: Library = { stays: () => true, isFraming: () => false }

  function begin(ids: string[]): Drag {
    const from = new Map<string, Box>()
    const leaders = new Map<string, string>()
    const note = (id: string) => {
      const block = items.blocks.get(id)
      if (block) from.set(id, { x: block.x, y: block.y, width: block.width, height: block.height })
    }
    ids.forEach(note)
    // What is chosen and only painted is not dragged by the library, and moves along with what is.
    const { blocks: chosen } = board.selection.get()
    const [first] = ids.filter((id) => chosen.has(id))
    for (const other of first === undefined ? [] : chosen) {
      if (from.has(other) || items.blocks.get(other)?.locked) continue
      note(other)
      leaders.set(other, first!)
    }
    for (const leader of outermost(from.keys(), items.blocks)) {
      for (const member of membersOf([leader], items.blocks)) {
        if (from.has(member)) continue
        note(member)
        leaders.set(member, leaders.get(leader) ?? leader)
      }
    }
    return { from, leaders }
  }

  function dragTo(moves: Map<string, { x: number; y: number }>) {
    drag ??= begin([...moves.keys()])
    const { from, leaders } = drag
    const placed = new Map<string, Box>()
    for (const [id, { x, y }] of moves) {
      const start = from.get(id)
      if (start) placed.set(id, { ...start, x, y })
    }
    for (const [member, leader] of leaders) {
      const [start, before, now] = [from.get(member), from.get(leader), placed.get(leader)]
      if (start && before && now) {
        placed.set(member, { ...start, x: start.x + now.x - before.x, y: start.y + now.y - before.y })
      }
    }
    board.moveTo(placed)
    showLanding(placed)
  }

  function showLanding(placed: Map<string, Box>) {
    const [first] = placed
    const next = first && groupAt(first[1], items.blocks, new Set(drag?.from.keys()))?.id
    const isAtHome = first && items.blocks.get(first[0])?.parentId === next
    const shown = next && !isAtHome ? next : null
    if (landing.get() !== shown) landing.set(shown)
  }

  function drop() {
    const moved = drag
    drag = undefined
    landing.set(null)
    const landed = board.land()
    if (!moved) return
    const leaders = new Set(outermost(moved.from.keys(), items.blocks))
    const moving = new Set(moved.from.keys())
    const patches = [...landed].flatMap(([id, box]): BlockPatch[] => {
      const block = items.blocks.get(id)
      if (!block) return []
      const place = { id, x: Math.round(box.x), y: Math.round(box.y) }
      const home = leaders.has(id) ? (groupAt(box, items.blocks, moving)?.id ?? null) : block.parentId
      if (home !== block.parentId) return [{ ...place, parentId: home }]
      return place.x === block.x && place.y === block.y ? [] : [place]
    })
    commit(landed, patches)
  }

  function resized() {
    const landed = board.land()
    const patches = [...landed].map(([id, box]): BlockPatch => ({ id, ...rounded(box) }))
    commit(landed, patches)
  }

  function commit(landed: Map<string, Box>, patches: BlockPatch[]) {
    if (patches.length > 0) store.change({ update: { blocks: patches } })
    // What came back to where it was is not changed, but is still drawn where it was dragged.
    const changed = new Set(patches.map(({ id }) => id))
    board.refresh([...landed.keys()].filter((id) => !changed.has(id)))
  }

  return {
    landing,
    /** Says what the library, which knows only elements, cannot know. */
    attach: (next: Library) => (library = next),
    onNodesChange: (changes: NodeChange<BlockNode>[]) => {
      const drags = new Map<string, { x: number; y: number }>()
      const sizes = new Map<string, Box>()
      let over: 'drag' | 'resize' | undefined
      for (const change of changes) {
        if (change.type === 'position') {
          if (change.dragging === false) over = 'drag'
          if (!change.position) continue
          if (change.dragging !== undefined) drags.set(change.id, change.position)
          else sizes.set(change.id, { ...boxOf(change.id, sizes), ...change.position })
        }
        // Those without `resizing` only tell what was measured, which we know.
        if (change.type === 'dimensions' && change.resizing !== undefined) {
          if (!change.resizing) over = 'resize'
          if (change.dimensions) sizes.set(change.id, { ...boxOf(change.id, sizes), ...change.dimensions })
        }
      }
      if (drags.size > 0) dragTo(drags)
      if (sizes.size > 0) board.moveTo(sizes)
      if (over === 'drag') drop()
      if (over === 'resize') resized()
      choose(changes, 'blocks')
    },
    onEdgesChange: (changes: EdgeChange<LineEdge>[]) => choose(changes, 'edges'),
  }

  function boxOf(id: string, latest: Map<string, Box>): Box {
    const { x, y, width, height } = latest.get(id) ?? board.placeOf(id) ?? { x: 0, y: 0, width: 1, height: 1 }
    return { x, y, width, height }
  }

  function choose(changes: (NodeChange<BlockNode> | EdgeChange<LineEdge>)[], kind: 'blocks' | 'edges') {
    const marks = changes.filter((change) => change.type === 'select')
    if (marks.length === 0 || library.isFraming()) return
    const now = board.selection.get()
    const stays = kind === 'blocks' ? library.stays : () => true
    const next = new Set([...now[kind]].filter(stays))
    for (const { id, selected } of marks) {
      if (selected) next.add(id)
      else next.delete(id)
    }
    if (kind === 'blocks') board.select(next, now.edges)
    else board.select(now.blocks, next)
  }
}

const rounded = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
})
