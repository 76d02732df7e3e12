import { toast } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { mainField } from '../blocks/block-body.tsx'
import { nameOf } from '../blocks/block-labels.ts'
import { focusBlock } from '../flow/focus.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { BlockFields, BlockType, NewBlock } from '../store/items.ts'
import type { Wanted } from '../store/write.ts'
import { aligned, distributed, nudged, type Side, stacked } from './arrange.ts'
import { groupAt, grouped, membersOf, outermost, ungrouped } from './groups.ts'
import { newBlock, sizeOfNew } from './new-block.ts'

/** The chosen blocks, those that are locked left out. */
export const chosenOf = ({ board, store }: OpenCanvas) =>
  [...board.selection.get().blocks]
    .flatMap((id) => store.items.blocks.get(id) ?? [])
    .filter(({ locked }) => !locked)

/** A new block with its middle here, ready to be written in. */
export function addBlock(canvas: OpenCanvas, type: BlockType, at: { x: number; y: number }) {
  const { width, height } = sizeOfNew(type)
  const block = inItsGroup(
    canvas,
    newBlock(type, { x: Math.round(at.x - width / 2), y: Math.round(at.y - height / 2) }),
  )
  const field = mainField(type)
  // The same kind as what is written in it: made and written is one step.
  canvas.store.change({ create: { blocks: [block] } }, `write ${field} ${block.id}`)
  canvas.board.select([block.id])
  canvas.desk.tool.set('select')
  canvas.desk.editing.set({ id: block.id, field })
}

/** Blocks that came from outside, chosen once they are there. */
export function addBlocks(canvas: OpenCanvas, wanted: Wanted, ids: string[]) {
  canvas.store.change(wanted)
  canvas.board.select(ids)
  if (ids[0]) focusBlock(ids[0])
}

export function inItsGroup({ store }: OpenCanvas, block: NewBlock): NewBlock {
  const group = groupAt(block, store.items.blocks, new Set())
  return group ? { ...block, parentId: group.id, zIndex: block.zIndex } : block
}

export function removeChosen(canvas: OpenCanvas) {
  const { store, board } = canvas
  const blocks = chosenOf(canvas)
  const edges = [...board.selection.get().edges]
  const count = blocks.length + edges.length
  if (count === 0) return false
  const what = count > 1 ? `${count} things` : blocks[0] ? nameOf(blocks[0]) : 'the connection'
  store.change({ delete: { blocks: blocks.map(({ id }) => id), edges } })
  toast(`Removed ${what}`, { label: 'Undo', run: store.undo })
  canvas.view.element()?.focus({ preventScroll: true })
}

/** What is chosen and what is in it, by so much. */
export function nudge(canvas: OpenCanvas, dx: number, dy: number) {
  const { store } = canvas
  const chosen = chosenOf(canvas).map(({ id }) => id)
  if (chosen.length === 0) return false
  const all = new Set([...chosen, ...membersOf(chosen, store.items.blocks)])
  const blocks = [...all].flatMap((id) => store.items.blocks.get(id) ?? [])
  store.change({ update: { blocks: nudged(blocks, dx, dy) } }, `nudge ${chosen.join(' ')}`)
}

export function arrange(canvas: OpenCanvas, how: Side | 'row' | 'column') {
  const { store } = canvas
  const ids = outermost(
    chosenOf(canvas).map(({ id }) => id),
    store.items.blocks,
  )
  const blocks = ids.flatMap((id) => store.items.blocks.get(id) ?? [])
  if (blocks.length < (how === 'row' || how === 'column' ? 3 : 2)) return false
  const patches =
    how === 'row'
      ? distributed(blocks, 'x')
      : how === 'column'
        ? distributed(blocks, 'y')
        : aligned(blocks, how)
  // What is in a group moves along with it.
  const along = patches.flatMap(({ id, x, y }) => {
    const group = store.items.blocks.get(id)
    if (group?.type !== 'group' || x === undefined || y === undefined) return []
    const members = [...membersOf([id], store.items.blocks)].flatMap(
      (member) => store.items.blocks.get(member) ?? [],
    )
    return nudged(members, x - group.x, y - group.y)
  })
  store.change({ update: { blocks: [...patches, ...along] } })
}

export function stack(canvas: OpenCanvas, where: 'front' | 'back') {
  const blocks = chosenOf(canvas)
  if (blocks.length === 0) return false
  const patches = stacked(blocks, canvas.store.items.blocks.values(), where)
  canvas.store.change({ update: { blocks: patches } })
}

/** The same of all that are chosen: a colour, say. */
export function setOfChosen(canvas: OpenCanvas, fields: Partial<Pick<BlockFields, 'color' | 'locked'>>) {
  const ids = [...canvas.board.selection.get().blocks]
  if (ids.length === 0) return false
  canvas.store.change({ update: { blocks: ids.map((id) => ({ id, ...fields })) } })
}

/** Locks what is chosen, or lets go of it if all of it is locked. */
export function toggleLock(canvas: OpenCanvas) {
  const blocks = [...canvas.board.selection.get().blocks].flatMap(
    (id) => canvas.store.items.blocks.get(id) ?? [],
  )
  return setOfChosen(canvas, { locked: !blocks.every(({ locked }) => locked) })
}

export function group(canvas: OpenCanvas) {
  const { store, board, desk } = canvas
  const made = grouped(
    chosenOf(canvas).map(({ id }) => id),
    store.items.blocks,
  )
  if (!made) return false
  store.change(made.wanted)
  board.select([made.id])
  desk.editing.set({ id: made.id, field: 'title' })
}

export function ungroup(canvas: OpenCanvas) {
  const { store, board } = canvas
  const { wanted, members } = ungrouped(
    chosenOf(canvas).map(({ id }) => id),
    store.items.blocks,
  )
  if (!wanted.delete?.blocks?.length) return false
  store.change(wanted)
  board.select(members)
}

export function edit(canvas: OpenCanvas, which?: 'title') {
  const { board, store, desk } = canvas
  const { blocks, edges } = board.selection.get()
  const [id] = blocks
  const block = id === undefined ? undefined : store.items.blocks.get(id)
  if (block && blocks.size === 1 && !block.locked) {
    desk.editing.set({ id: block.id, field: which ?? mainField(block.type) })
    return
  }
  const [edge] = edges
  if (!edge || edges.size !== 1 || blocks.size > 0) return false
  desk.editing.set({ id: edge, field: 'label' })
}

/** Two that are connected already, this way round, stay connected once. */
export function connect({ store, board }: OpenCanvas, from: string, to: string) {
  const { blocks, edges } = store.items
  const isThere = [...edges.values()].some((edge) => edge.fromBlockId === from && edge.toBlockId === to)
  if (from === to || isThere || !blocks.has(from) || !blocks.has(to)) return
  const edge = { id: randomId(), fromBlockId: from, toBlockId: to, label: null }
  store.change({ create: { edges: [edge] } })
  board.select([], [edge.id])
}

/** Connects what is chosen in the order in which it was; of a single block the other end is chosen next. */
export function connectChosen(canvas: OpenCanvas) {
  const { board, desk } = canvas
  const [first, ...rest] = board.selection.get().blocks
  if (first === undefined) return false
  if (rest.length === 0) desk.connecting.set(first)
  let from = first
  for (const to of rest) {
    connect(canvas, from, to)
    from = to
  }
}

export const undo = ({ store }: OpenCanvas) => void (store.undo() || toast('There is nothing to undo'))
export const redo = ({ store }: OpenCanvas) => void (store.redo() || toast('There is nothing to redo'))
