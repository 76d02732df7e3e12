import type { OpenCanvas } from '../open-canvas.ts'

/** Opens the comments of the selected block. False unless one block is selected and the person may comment. */
export function commentOnSelected(canvas: OpenCanvas): boolean {
  const [id, ...more] = canvas.viewModel.selection.get().blocks
  if (!id || more.length > 0 || !canvas.canComment) return false
  canvas.ui.commenting.set({ blockId: id })
  return true
}
