import type { OpenCanvas } from '../open-canvas.ts'
import type { BlockNode } from './nodes.ts'

/** Below these zooms words are no longer read, and then not even names. */
export const FAR_ZOOM = 0.3
export const DOTS_ZOOM = 0.12
/** More blocks than this are painted when they are seen from afar; each as an element would be slow to move. */
const ELEMENTS_MAX = 400
/** Of those that are chosen, so many are elements nevertheless: what is chosen has a focus, handles and a name. */
const CHOSEN_MAX = 100

/** Whether blocks are painted now, except those that somebody is busy with. */
export const isPainted = ({ view, store }: OpenCanvas, zoom = view.zoom()) =>
  zoom < FAR_ZOOM && store.items.blocks.size > ELEMENTS_MAX

/** The blocks that are elements even so. */
export function elementsAmong(canvas: OpenCanvas, nodes: BlockNode[], hovered: string | null): BlockNode[] {
  const { blocks } = canvas.board.selection.get()
  const chosen = blocks.size <= CHOSEN_MAX ? blocks : new Set<string>()
  const editing = canvas.desk.editing.get()?.id
  return nodes.filter(({ id }) => id === hovered || id === editing || chosen.has(id))
}

/** The uppermost block at a place of the canvas. */
export function blockAt({ board }: OpenCanvas, { x, y }: { x: number; y: number }): string | null {
  let best: BlockNode | undefined
  for (const node of board.drawn.get().nodes) {
    const { position, width = 0, height = 0, zIndex = 0 } = node
    const isInside = x >= position.x && x <= position.x + width && y >= position.y && y <= position.y + height
    if (isInside && (!best || zIndex >= (best.zIndex ?? 0))) best = node
  }
  return best?.id ?? null
}
