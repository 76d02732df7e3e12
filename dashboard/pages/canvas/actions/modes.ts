import { figureToolOf } from '../figures/figure-tools.ts'
import { addFigure } from '../figures/new-figure.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { blockTypeOf } from '../tools/tools.ts'
import { addBlock, connect } from './editing.ts'
import { currentId } from './keyboard-navigation.ts'

/** Cancels the connection, the tool or the selection, in this order. Returns false if none is active. */
export function cancelMode({ ui, viewModel }: OpenCanvas) {
  const { blocks, edges } = viewModel.selection.get()
  if (ui.connecting.get() !== null) ui.connecting.set(null)
  else if (ui.tool.get() !== 'select') ui.tool.set('select')
  else if (blocks.size + edges.size > 0) {
    ui.pinned.set(new Set())
    viewModel.select([])
  } else return false
}

/** Completes a pending connection at a block. */
export function connectTo(canvas: OpenCanvas, id: string): boolean {
  const from = canvas.ui.connecting.get()
  if (from === null) return false
  canvas.ui.connecting.set(null)
  connect(canvas, from, id)
  return true
}

/** Enter completes the connection, or adds the block of the active tool at the center of the viewport. */
export function confirmMode(canvas: OpenCanvas): boolean {
  const id = currentId(canvas)
  if (canvas.ui.connecting.get() !== null && id !== undefined) return connectTo(canvas, id)
  const blockType = blockTypeOf(canvas.ui.tool.get())
  const figure = figureToolOf(canvas.ui.tool.get())
  if (figure) return addFigure(canvas, figure, [canvas.view.center()])
  if (!blockType) return false
  addBlock(canvas, blockType, canvas.view.center())
  return true
}
