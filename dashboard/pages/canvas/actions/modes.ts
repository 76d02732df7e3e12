import type { OpenCanvas } from '../open-canvas.ts'
import { placed } from '../tools/tools.ts'
import { addBlock, connect } from './editing.ts'
import { currentId } from './keyboard-navigation.ts'

/** Lets go of what is going on, the innermost first. False when there is nothing to let go of. */
export function letGo({ desk, board }: OpenCanvas) {
  const { blocks, edges } = board.selection.get()
  if (desk.connecting.get() !== null) desk.connecting.set(null)
  else if (desk.tool.get() !== 'select') desk.tool.set('select')
  else if (blocks.size + edges.size > 0) {
    desk.kept.set(new Set())
    board.select([])
  } else return false
}

/** Ends a connection at a block, if one is being drawn by choosing. */
export function connectTo(canvas: OpenCanvas, id: string): boolean {
  const from = canvas.desk.connecting.get()
  if (from === null) return false
  canvas.desk.connecting.set(null)
  connect(canvas, from, id)
  return true
}

/** Enter does what the pointer would do: ends a connection, or puts the new block into the middle of the view. */
export function connectHere(canvas: OpenCanvas): boolean {
  const id = currentId(canvas)
  if (canvas.desk.connecting.get() !== null && id !== undefined) return connectTo(canvas, id)
  const tool = placed(canvas.desk.tool.get())
  if (!tool) return false
  addBlock(canvas, tool, canvas.view.center())
  return true
}
