import { t } from '../../../../contract/text.ts'
import { toast } from '../../../components/toast.tsx'
import { buildSlides } from '../model/slides.ts'
import type { OpenCanvas } from '../open-canvas.ts'

/** Starts at the selected group, else the first. */
export function present(canvas: OpenCanvas) {
  const { store, viewModel, ui, view } = canvas
  const slides = buildSlides(store.items.blocks)
  const [first] = slides
  if (!first) return toast(t`Nothing to present: the canvas is empty`)
  const { blocks } = viewModel.selection.get()
  const selected = slides.find(({ id }) => blocks.has(id))
  viewModel.select([])
  ui.tool.set('select')
  ui.following.set(null)
  ui.hovered.set(null)
  ui.presenting.set((selected ?? first).id)
  // Fills the window in browsers that refuse full screen.
  void view
    .element()
    ?.requestFullscreen?.()
    .catch(() => {})
}
