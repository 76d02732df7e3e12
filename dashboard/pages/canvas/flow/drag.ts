import type { EdgeChange, NodeChange } from '@xyflow/react'
import { createStore } from '../../../state/store.ts'
import { type Box, bringToFront, roundBox } from '../model/arrange.ts'
import { collectItems, duplicateItems } from '../model/duplicate-items.ts'
import { collectMembers, groupAt, outermost } from '../model/groups.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import type { BlockPatch } from '../store/items.ts'
import type { BlockNode, LineEdge } from './nodes.ts'
import type { Snapping } from './snapping.ts'
import type { ViewModel } from './view-model.ts'

interface DragState {
  /** The dragged blocks, and members of dragged groups. */
  from: Map<string, Box>
  /** The dragged block each follower moves with. */
  leaders: Map<string, string>
  /** From React Flow, without snapping. */
  moves: Map<string, { x: number; y: number }>
}

interface LodSelection {
  /** Whether a painted block stays selected when a node is selected: React Flow has only rendered nodes. */
  staysSelected: (id: string) => boolean
  /** A selection rectangle sets the selection itself. */
  isSelecting: () => boolean
}

/** Previews in the view model, then makes one change on pointer release. */
export function createDrag(store: CanvasStore, viewModel: ViewModel, snapping: Snapping) {
  const { items } = store
  /** Initial boxes of blocks to copy instead of move. */
  const originals = createStore<readonly Box[]>([])
  let modifiers = { isFree: false, isCopy: false }
  const targetGroup = createStore<string | null>(null)
  let current: DragState | undefined
  let lod: LodSelection = { staysSelected: () => true, isSelecting: () => false }

  function begin(ids: string[]): DragState {
    const from = new Map<string, Box>()
    const leaders = new Map<string, string>()
    const recordBox = (id: string) => {
      const block = items.blocks.get(id)
      if (block) from.set(id, { x: block.x, y: block.y, width: block.width, height: block.height })
    }
    ids.forEach(recordBox)
    // React Flow doesn't drag selected blocks that are only painted, so they follow the dragged one.
    const { blocks: selected } = viewModel.selection.get()
    const [first] = ids.filter((id) => selected.has(id))
    for (const other of first === undefined ? [] : selected) {
      if (from.has(other) || items.blocks.get(other)?.locked) continue
      recordBox(other)
      leaders.set(other, first!)
    }
    for (const leader of outermost(from.keys(), items.blocks)) {
      for (const member of collectMembers([leader], items.blocks)) {
        if (from.has(member)) continue
        recordBox(member)
        leaders.set(member, leaders.get(leader) ?? leader)
      }
    }
    return { from, leaders, moves: new Map() }
  }

  function dragTo(moves: Map<string, { x: number; y: number }>) {
    current ??= begin([...moves.keys()])
    current.moves = moves
    const { from, leaders } = current
    const boxes = new Map<string, Box>()
    for (const [id, { x, y }] of moves) {
      const start = from.get(id)
      if (start) boxes.set(id, { ...start, x, y })
    }
    const { dx, dy } = snapping.move([...boxes.values()], modifiers.isCopy ? NONE : from)
    for (const [id, box] of boxes) boxes.set(id, { ...box, x: box.x + dx, y: box.y + dy })
    for (const [member, leader] of leaders) {
      const [start, before, now] = [from.get(member), from.get(leader), boxes.get(leader)]
      if (start && before && now) {
        boxes.set(member, { ...start, x: start.x + now.x - before.x, y: start.y + now.y - before.y })
      }
    }
    viewModel.moveTo(boxes)
    updateTargetGroup(boxes)
    showOriginals()
  }

  function showOriginals() {
    const next = current && modifiers.isCopy ? [...draggedBoxes(current).values()] : []
    if (next.length + originals.get().length > 0) originals.set(next)
  }

  /** Without followers. */
  const draggedBoxes = ({ from, leaders }: DragState) => new Map([...from].filter(([id]) => !leaders.has(id)))

  function updateTargetGroup(boxes: Map<string, Box>) {
    const [first] = boxes
    const next = first && groupAt(first[1], items.blocks, new Set(current?.from.keys()))?.id
    const isParent = first && items.blocks.get(first[0])?.parentId === next
    const target = next && !isParent ? next : null
    if (targetGroup.get() !== target) targetGroup.set(target)
  }

  function drop() {
    const finished = current
    current = undefined
    targetGroup.set(null)
    snapping.clear()
    showOriginals()
    const boxes = viewModel.commitDrag()
    if (!finished) return
    if (modifiers.isCopy) return dropCopies(finished, boxes)
    const leaders = new Set(outermost(finished.from.keys(), items.blocks))
    const movingIds = new Set(finished.from.keys())
    const patches = [...boxes].flatMap(([id, box]): BlockPatch[] => {
      const block = items.blocks.get(id)
      if (!block) return []
      const position = { id, x: Math.round(box.x), y: Math.round(box.y) }
      const parentId = leaders.has(id) ? (groupAt(box, items.blocks, movingIds)?.id ?? null) : block.parentId
      if (parentId !== block.parentId) return [{ ...position, parentId }]
      return position.x === block.x && position.y === block.y ? [] : [position]
    })
    commit(boxes, patches)
  }

  function dropCopies({ from }: DragState, boxes: Map<string, Box>) {
    viewModel.refresh(boxes.keys())
    const draggedIds = outermost(from.keys(), items.blocks)
    const [first] = draggedIds
    const [start, end] = first === undefined ? [] : [from.get(first), boxes.get(first)]
    if (!start || !end || (start.x === end.x && start.y === end.y)) return
    const offset = { x: end.x - start.x, y: end.y - start.y }
    const { ids, write } = duplicateItems(collectItems(draggedIds, items), offset, (id) =>
      items.blocks.has(id),
    )
    const copiedIds = new Set(ids)
    const blocks = bringToFront(write.create?.blocks ?? [], items.blocks.values()).map((block) =>
      copiedIds.has(block.id)
        ? { ...block, parentId: groupAt(block, items.blocks, from)?.id ?? null }
        : block,
    )
    store.change({ create: { blocks, edges: write.create?.edges ?? [] } })
    viewModel.select(ids)
  }

  function finishResize() {
    snapping.clear()
    const boxes = viewModel.commitDrag()
    const patches = [...boxes].map(([id, box]): BlockPatch => ({ id, ...roundBox(box) }))
    commit(boxes, patches)
  }

  function commit(boxes: Map<string, Box>, patches: BlockPatch[]) {
    if (patches.length > 0) store.change({ update: { blocks: patches } })
    // A block dragged back to its position has no patch, but still shows its drag box.
    const changed = new Set(patches.map(({ id }) => id))
    viewModel.refresh([...boxes.keys()].filter((id) => !changed.has(id)))
  }

  return {
    targetGroup,
    originals,
    isActive: () => current !== undefined,
    setModifiers(next: typeof modifiers) {
      if (next.isFree === modifiers.isFree && next.isCopy === modifiers.isCopy) return
      modifiers = next
      snapping.setFree(next.isFree)
      if (current) dragTo(current.moves)
    },
    /** Painted blocks aren't in React Flow. */
    attach: (next: LodSelection) => (lod = next),
    onNodesChange: (changes: NodeChange<BlockNode>[]) => {
      const drags = new Map<string, { x: number; y: number }>()
      const sizes = new Map<string, Box>()
      let finished: 'drag' | 'resize' | undefined
      for (const change of changes) {
        if (change.type === 'position') {
          if (change.dragging === false) finished = 'drag'
          if (!change.position) continue
          if (change.dragging !== undefined) drags.set(change.id, change.position)
          else sizes.set(change.id, { ...boxOf(change.id, sizes), ...change.position })
        }
        // Changes without `resizing` only report measurements.
        if (change.type === 'dimensions' && change.resizing !== undefined) {
          if (!change.resizing) finished = 'resize'
          if (change.dimensions) sizes.set(change.id, { ...boxOf(change.id, sizes), ...change.dimensions })
        }
      }
      if (drags.size > 0) dragTo(drags)
      for (const [id, box] of sizes) sizes.set(id, snapping.resize(id, box))
      if (sizes.size > 0) viewModel.moveTo(sizes)
      if (finished === 'drag') drop()
      if (finished === 'resize') finishResize()
      applySelection(changes, 'blocks')
    },
    onEdgesChange: (changes: EdgeChange<LineEdge>[]) => applySelection(changes, 'edges'),
  }

  function boxOf(id: string, latest: Map<string, Box>): Box {
    const { x, y, width, height } = latest.get(id) ??
      viewModel.currentBox(id) ?? { x: 0, y: 0, width: 1, height: 1 }
    return { x, y, width, height }
  }

  function applySelection(
    changes: (NodeChange<BlockNode> | EdgeChange<LineEdge>)[],
    kind: 'blocks' | 'edges',
  ) {
    const selects = changes.filter((change) => change.type === 'select')
    if (selects.length === 0 || lod.isSelecting()) return
    const selection = viewModel.selection.get()
    const staysSelected = kind === 'blocks' ? lod.staysSelected : () => true
    const next = new Set([...selection[kind]].filter(staysSelected))
    for (const { id, selected } of selects) {
      if (selected) next.add(id)
      else next.delete(id)
    }
    if (kind === 'blocks') viewModel.select(next, selection.edges)
    else viewModel.select(selection.blocks, next)
  }
}

const NONE = new Map<string, Box>()
