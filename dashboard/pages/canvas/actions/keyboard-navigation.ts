import { focusBlock } from '../flow/focus.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { inReadingOrder } from './arrange.ts'

const focusedId = () =>
  document.activeElement?.closest<HTMLElement>('.react-flow__node')?.dataset.id ?? undefined

/** The block that keys are about: the one with the focus, else the one that is chosen. */
export function currentId({ board }: OpenCanvas): string | undefined {
  const { blocks } = board.selection.get()
  return focusedId() ?? [...blocks].at(-1)
}

/** From block to block in the order of reading, also to those out of sight. False at the end: Tab leaves the canvas. */
export function walk(canvas: OpenCanvas, back: boolean): boolean {
  const { store, view } = canvas
  const order = inReadingOrder(store.items.blocks.values())
  const here = currentId(canvas)
  const isOutside = focusedId() === undefined
  if (isOutside && (back || document.activeElement !== view.element())) return false
  const at = here === undefined ? -1 : order.findIndex(({ id }) => id === here)
  const next = order[isOutside ? Math.max(at, 0) : at + (back ? -1 : 1)]
  if (next) goTo(canvas, next.id)
  else if (back) view.element()?.focus({ preventScroll: true })
  return next !== undefined || back
}

/** Chooses a block, with those that are kept, and brings it into sight. */
export function goTo({ store, board, desk, view }: OpenCanvas, id: string) {
  const block = store.items.blocks.get(id)
  if (!block) return
  if (desk.connecting.get() === null) board.select([...desk.kept.get(), id])
  view.reveal(block)
  focusBlock(id)
}

/** Keeps the block chosen while Tab goes on, or lets go of it. */
export function keep(canvas: OpenCanvas) {
  const id = currentId(canvas)
  if (id === undefined) return false
  const kept = new Set(canvas.desk.kept.get())
  if (!kept.delete(id)) kept.add(id)
  canvas.desk.kept.set(kept)
  canvas.board.select([...kept, ...(kept.has(id) ? [] : [id])])
}

/** The next connection of the block, to be written on or removed. */
export function nextConnection(canvas: OpenCanvas) {
  const { store, board } = canvas
  const id = currentId(canvas)
  const { edges } = board.selection.get()
  const [chosen] = edges
  const own = [...store.items.edges.values()].filter(
    ({ fromBlockId, toBlockId }) => id === undefined || fromBlockId === id || toBlockId === id,
  )
  if (own.length === 0) return false
  const at = own.findIndex((edge) => edge.id === chosen)
  board.select([], [own[(at + 1) % own.length]!.id])
}
