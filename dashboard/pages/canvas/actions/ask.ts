import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { randomId } from '../../../state/random-id.ts'
import { blockName } from '../model/block-labels.ts'
import type { OpenCanvas } from '../open-canvas.ts'

/** A message's limit in the contract. */
const BLOCKS_MAX = 100

export const canAsk = ({ isGuest, editable }: OpenCanvas) => !isGuest && editable.get()

/** Asks about the canvas if nothing is selected. */
export function askAboutSelection(canvas: OpenCanvas): boolean {
  if (!canAsk(canvas)) return false
  const { store, viewModel, ui } = canvas
  const selected = [...viewModel.selection.get().blocks].flatMap((id) => store.items.blocks.get(id) ?? [])
  if (selected.length > BLOCKS_MAX) toast(withNames`Only the first ${BLOCKS_MAX} blocks are attached`)
  const blocks = selected
    .slice(0, BLOCKS_MAX)
    .map((block) => ({ kind: 'block' as const, id: block.id, name: blockName(block) }))
  // The server must have stored a block before a message can refer to it.
  void store.whenSaved().then(() => ui.agentQuestion.set({ key: randomId(), blocks }))
  return true
}

export function askAboutCanvas(canvas: OpenCanvas) {
  if (canAsk(canvas)) canvas.ui.agentQuestion.set({ key: randomId(), blocks: [] })
}

/** Returns false unless one block is selected and the user may comment. */
export function commentOnSelected(canvas: OpenCanvas): boolean {
  const [id, ...more] = canvas.viewModel.selection.get().blocks
  if (!id || more.length > 0 || !canvas.canComment) return false
  canvas.ui.commenting.set({ blockId: id })
  return true
}
