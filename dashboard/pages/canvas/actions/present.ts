import { toast } from '../../../components/toast.tsx'
import { type Box, boundsOf, inReadingOrder } from '../model/arrange.ts'
import { nameOf } from '../model/block-labels.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Items } from '../store/items.ts'

/** Starts the presentation at the selected group, else at the first. */
export function present(canvas: OpenCanvas) {
  const { store, viewModel, ui, view } = canvas
  const slides = slidesOf(store.items.blocks)
  const [first] = slides
  if (!first) return toast('The canvas is empty: there is nothing to present')
  const { blocks } = viewModel.selection.get()
  const selected = slides.find(({ id }) => blocks.has(id))
  viewModel.select([])
  ui.tool.set('select')
  ui.presenting.set((selected ?? first).id)
  // In browsers that refuse full screen, the presentation fills the window.
  void view
    .element()
    ?.requestFullscreen?.()
    .catch(() => {})
}

interface Slide {
  /** The id of the group; `canvas` for the whole canvas. */
  id: string
  name: string
  box: Box
}

/** The slides of a presentation: the outer groups in reading order, or everything if there are none. */
export function slidesOf(blocks: Items['blocks']): Slide[] {
  const groups = [...blocks.values()].filter(
    ({ type, parentId }) => type === 'group' && (parentId === null || !blocks.has(parentId)),
  )
  const slides = inReadingOrder(groups).map((group) => {
    const { id, x, y, width, height } = group
    return { id, name: nameOf(group), box: { x, y, width, height } }
  })
  if (slides.length > 0 || blocks.size === 0) return slides
  return [{ id: 'canvas', name: 'Canvas', box: boundsOf([...blocks.values()]) }]
}
