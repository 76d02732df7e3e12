import { findBlockElement, focusBlock } from '../flow/focus.ts'
import { inReadingOrder } from '../model/arrange.ts'
import type { OpenCanvas } from '../open-canvas.ts'

const focusedId = () =>
  document.activeElement?.closest<HTMLElement>('.react-flow__node')?.dataset.id ?? undefined

/** For keyboard shortcuts: the focused block, else the last selected one. */
export function currentId({ viewModel }: OpenCanvas): string | undefined {
  const { blocks } = viewModel.selection.get()
  return focusedId() ?? [...blocks].at(-1)
}

/** In reading order, also outside the viewport. Returns false at the end, so Tab leaves the canvas. */
export function focusNextBlock(canvas: OpenCanvas, back: boolean): boolean {
  const { store, view } = canvas
  const order = inReadingOrder(store.items.blocks.values())
  const current = currentId(canvas)
  const isOutside = focusedId() === undefined
  if (isOutside && (back || document.activeElement !== view.element())) return false
  const index = current === undefined ? -1 : order.findIndex(({ id }) => id === current)
  const next = order[isOutside ? Math.max(index, 0) : index + (back ? -1 : 1)]
  if (next) goTo(canvas, next.id)
  else if (back) view.element()?.focus({ preventScroll: true })
  return next !== undefined || back
}

/** Keeps pinned blocks selected. */
export function goTo({ store, viewModel, ui, view }: OpenCanvas, id: string) {
  const block = store.items.blocks.get(id)
  if (!block) return
  if (ui.connecting.get() === null) viewModel.select([...ui.pinned.get(), id])
  view.reveal(block)
  focusBlock(id)
}

/** A pinned block stays selected while Tab moves on. */
export function togglePinned(canvas: OpenCanvas) {
  const id = currentId(canvas)
  if (id === undefined) return false
  const pinned = new Set(canvas.ui.pinned.get())
  if (!pinned.delete(id)) pinned.add(id)
  canvas.ui.pinned.set(pinned)
  canvas.viewModel.select([...pinned, ...(pinned.has(id) ? [] : [id])])
}

export function selectNextConnection(canvas: OpenCanvas) {
  const { store, viewModel } = canvas
  const id = currentId(canvas)
  const { edges } = viewModel.selection.get()
  const [selected] = edges
  const blockEdges = [...store.items.edges.values()].filter(
    ({ fromBlockId, toBlockId }) => id === undefined || fromBlockId === id || toBlockId === id,
  )
  if (blockEdges.length === 0) return false
  const index = blockEdges.findIndex((edge) => edge.id === selected)
  viewModel.select([], [blockEdges[(index + 1) % blockEdges.length]!.id])
}

/** Returns false if the selected block's text has no task. */
export function focusTasks({ viewModel }: OpenCanvas): boolean {
  const { blocks } = viewModel.selection.get()
  const [id] = blocks
  const task =
    id === undefined || blocks.size > 1
      ? null
      : findBlockElement(id)?.querySelector<HTMLElement>('[data-task]')
  task?.focus({ preventScroll: true })
  return Boolean(task)
}
