import { t } from '../../../../contract/text.ts'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { focusBlock } from '../flow/focus.ts'
import { align, bringToFront, distribute, moveBy, restack, type Side } from '../model/arrange.ts'
import { blockName, isDone, mainField } from '../model/block-labels.ts'
import { collectMembers, groupAt, groupWrite, outermost, ungroupWrite } from '../model/groups.ts'
import { newBlock, sizeOfNew } from '../model/new-block.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { CanvasStore } from '../store/canvas-store.ts'
import type { BlockFields, BlockType, NewBlock } from '../store/items.ts'
import type { WriteInput } from '../store/write.ts'

export const unlockedSelection = ({ viewModel, store }: OpenCanvas) =>
  [...viewModel.selection.get().blocks]
    .flatMap((id) => store.items.blocks.get(id) ?? [])
    .filter(({ locked }) => !locked)

export function addBlock(canvas: OpenCanvas, type: BlockType, at: { x: number; y: number }) {
  const { width, height } = sizeOfNew(type)
  const block = withParentGroup(
    canvas,
    newBlock(type, { x: Math.round(at.x - width / 2), y: Math.round(at.y - height / 2) }),
  )
  const field = mainField(type)
  // The same change kind as its edits, so creating and writing a block is one undo step.
  const blocks = bringToFront([block], canvas.store.items.blocks.values())
  canvas.store.change({ create: { blocks } }, `write ${field} ${block.id}`)
  canvas.viewModel.select([block.id])
  canvas.ui.tool.set('select')
  canvas.ui.editing.set({ id: block.id, field })
}

/** Doesn't start editing. */
export function addText(canvas: OpenCanvas, content: string, at: { x: number; y: number }) {
  const { width, height } = sizeOfNew('text')
  const position = { x: Math.round(at.x - width / 2), y: Math.round(at.y - height / 2) }
  const block = withParentGroup(canvas, newBlock('text', { ...position, content }))
  addBlocks(canvas, { create: { blocks: [block] } }, [block.id])
}

export function addBlocks(canvas: OpenCanvas, write: WriteInput, ids: string[]) {
  const { create, ...rest } = write
  const blocks = bringToFront(create?.blocks ?? [], canvas.store.items.blocks.values())
  canvas.store.change({ ...rest, create: { ...create, blocks } })
  canvas.viewModel.select(ids)
  if (ids[0]) focusBlock(ids[0])
}

export function withParentGroup({ store }: OpenCanvas, block: NewBlock): NewBlock {
  const group = groupAt(block, store.items.blocks, new Set())
  return group ? { ...block, parentId: group.id } : block
}

export function removeSelected(canvas: OpenCanvas) {
  const { store, viewModel } = canvas
  const blocks = unlockedSelection(canvas)
  const edges = [...viewModel.selection.get().edges]
  const count = blocks.length + edges.length
  if (count === 0) return false
  const label = count > 1 ? t`${count} items` : blocks[0] ? blockName(blocks[0]) : 'connection'
  store.change({ delete: { blocks: blocks.map(({ id }) => id), edges } })
  toast(withNames`Deleted ${label}`, { label: t`Undo`, run: store.undo })
  canvas.view.element()?.focus({ preventScroll: true })
}

/** Also moves the members of selected groups. */
export function nudge(canvas: OpenCanvas, dx: number, dy: number) {
  const { store } = canvas
  const selected = unlockedSelection(canvas).map(({ id }) => id)
  if (selected.length === 0) return false
  const all = new Set([...selected, ...collectMembers(selected, store.items.blocks)])
  const blocks = [...all].flatMap((id) => store.items.blocks.get(id) ?? [])
  store.change({ update: { blocks: moveBy(blocks, dx, dy) } }, `nudge ${selected.join(' ')}`)
}

export function arrange(canvas: OpenCanvas, layout: Side | 'row' | 'column') {
  const { store } = canvas
  const ids = outermost(
    unlockedSelection(canvas).map(({ id }) => id),
    store.items.blocks,
  )
  const blocks = ids.flatMap((id) => store.items.blocks.get(id) ?? [])
  if (blocks.length < (layout === 'row' || layout === 'column' ? 3 : 2)) return false
  const patches =
    layout === 'row'
      ? distribute(blocks, 'x')
      : layout === 'column'
        ? distribute(blocks, 'y')
        : align(blocks, layout)
  const memberPatches = patches.flatMap(({ id, x, y }) => {
    const group = store.items.blocks.get(id)
    if (group?.type !== 'group' || x === undefined || y === undefined) return []
    const members = [...collectMembers([id], store.items.blocks)].flatMap(
      (member) => store.items.blocks.get(member) ?? [],
    )
    return moveBy(members, x - group.x, y - group.y)
  })
  store.change({ update: { blocks: [...patches, ...memberPatches] } })
}

export function stack(canvas: OpenCanvas, where: 'front' | 'back') {
  const blocks = unlockedSelection(canvas)
  if (blocks.length === 0) return false
  const patches = restack(blocks, canvas.store.items.blocks.values(), where)
  canvas.store.change({ update: { blocks: patches } })
}

export function updateSelected(canvas: OpenCanvas, fields: Partial<Pick<BlockFields, 'color' | 'locked'>>) {
  const ids = [...canvas.viewModel.selection.get().blocks]
  if (ids.length === 0) return false
  canvas.store.change({ update: { blocks: ids.map((id) => ({ id, ...fields })) } })
}

/** Unlocks if everything is locked. */
export function toggleLock(canvas: OpenCanvas) {
  const blocks = [...canvas.viewModel.selection.get().blocks].flatMap(
    (id) => canvas.store.items.blocks.get(id) ?? [],
  )
  return updateSelected(canvas, { locked: !blocks.every(({ locked }) => locked) })
}

export function group(canvas: OpenCanvas) {
  const { store, viewModel, ui } = canvas
  const created = groupWrite(
    unlockedSelection(canvas).map(({ id }) => id),
    store.items.blocks,
  )
  if (!created) return false
  store.change(created.write)
  viewModel.select([created.id])
  ui.editing.set({ id: created.id, field: 'title' })
}

export function ungroup(canvas: OpenCanvas) {
  const { store, viewModel } = canvas
  const { write, members } = ungroupWrite(
    unlockedSelection(canvas).map(({ id }) => id),
    store.items.blocks,
  )
  if (!write.delete?.blocks?.length) return false
  store.change(write)
  viewModel.select(members)
}

export function edit(canvas: OpenCanvas, field?: 'title') {
  const { viewModel, store, ui } = canvas
  const { blocks, edges } = viewModel.selection.get()
  const [id] = blocks
  const block = id === undefined ? undefined : store.items.blocks.get(id)
  if (block && blocks.size === 1 && !block.locked) {
    ui.editing.set({ id: block.id, field: field ?? mainField(block.type) })
    return
  }
  const [edge] = edges
  if (!edge || edges.size !== 1 || blocks.size > 0) return false
  ui.editing.set({ id: edge, field: 'label' })
}

/** Does nothing if they are already connected in this direction. */
export function connect({ store, viewModel }: OpenCanvas, from: string, to: string) {
  const { blocks, edges } = store.items
  const isConnected = [...edges.values()].some((edge) => edge.fromBlockId === from && edge.toBlockId === to)
  if (from === to || isConnected || !blocks.has(from) || !blocks.has(to)) return
  const edge = { id: randomId(), fromBlockId: from, toBlockId: to, label: null, condition: null, style: {} }
  store.change({ create: { edges: [edge] } })
  viewModel.select([], [edge.id])
}

/** In selection order. With a single block, the user picks the target next. */
export function connectSelected(canvas: OpenCanvas) {
  const { viewModel, ui } = canvas
  const [first, ...rest] = viewModel.selection.get().blocks
  if (first === undefined) return false
  if (rest.length === 0) ui.connecting.set(first)
  let from = first
  for (const to of rest) {
    connect(canvas, from, to)
    from = to
  }
}

export const undo = ({ store }: OpenCanvas) => void (store.undo() || toast(t`Nothing to undo`))
export const redo = ({ store }: OpenCanvas) => void (store.redo() || toast(t`Nothing to redo`))

/** Reopens tasks if all are done. Returns false if no block is a task. */
export function toggleDone(store: CanvasStore, ids: Iterable<string>): boolean {
  const tasks = [...ids]
    .flatMap((id) => store.items.blocks.get(id) ?? [])
    .filter(({ type, locked }) => type === 'task' && !locked)
  if (tasks.length === 0) return false
  const done = !tasks.every(isDone)
  store.change({
    update: { blocks: tasks.map(({ id, metadata }) => ({ id, metadata: { ...metadata, done } })) },
  })
  return true
}
