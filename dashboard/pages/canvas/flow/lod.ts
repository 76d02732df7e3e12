import type { OpenCanvas } from '../open-canvas.ts'
import type { BlockNode } from './nodes.ts'

/** Below these zoom levels the content, and then the name, is not readable. */
export const FAR_ZOOM = 0.3
export const DOTS_ZOOM = 0.12
/** Above this number blocks are painted when zoomed out: as DOM nodes they would be slow to move. */
const NODES_MAX = 400
/** Up to this many selected blocks are nodes nevertheless, because a selection needs focus, handles and names. */
const SELECTED_MAX = 100

/** Whether blocks are painted instead of rendered, except hovered, edited and selected ones. */
export const isPainted = ({ view, store }: OpenCanvas, zoom = view.zoom()) =>
  zoom < FAR_ZOOM && store.items.blocks.size > NODES_MAX

/** The blocks that are rendered as nodes while the rest is painted. */
export function nodesToRender(canvas: OpenCanvas, nodes: BlockNode[], hovered: string | null): BlockNode[] {
  const { blocks } = canvas.viewModel.selection.get()
  const selected = blocks.size <= SELECTED_MAX ? blocks : new Set<string>()
  const editing = canvas.ui.editing.get()?.id
  return nodes.filter(({ id }) => id === hovered || id === editing || selected.has(id))
}

/** The topmost block at a canvas position. */
export function blockAt({ viewModel }: OpenCanvas, { x, y }: { x: number; y: number }): string | null {
  let topmost: BlockNode | undefined
  for (const node of viewModel.rendered.get().nodes) {
    const { position, width = 0, height = 0, zIndex = 0 } = node
    const isInside = x >= position.x && x <= position.x + width && y >= position.y && y <= position.y + height
    if (isInside && (!topmost || zIndex >= (topmost.zIndex ?? 0))) topmost = node
  }
  return topmost?.id ?? null
}
