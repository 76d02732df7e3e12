import { toast } from '../../../components/toast.tsx'
import { safeHref } from '../markdown/inline.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { type Clipping, clip, copied, toMiddle } from './copies.ts'
import { addBlocks, chosenOf, inItsGroup, removeChosen } from './editing.ts'
import { newBlock, sizeOfNew } from './new-block.ts'
import { placeFiles } from './place-files.ts'

const TYPE = 'application/x-atrium-blocks'
const STEP = 24

/** What was copied last here, for menus, which cannot reach the clipboard of the system. */
let latest: (Clipping & { projectId: string }) | undefined
/** So that pasting again puts it beside the last paste rather than upon it. */
let pasted = 0

export function copy(canvas: OpenCanvas, clipboard?: DataTransfer): boolean {
  const ids = canvas.board.selection.get().blocks
  if (ids.size === 0) return false
  latest = { ...clip(ids, canvas.store.items), projectId: canvas.project.id }
  pasted = 0
  clipboard?.setData(TYPE, JSON.stringify(latest))
  clipboard?.setData(
    'text/plain',
    latest.blocks.map(({ title, content }) => content ?? title ?? '').join('\n\n'),
  )
  return true
}

export function cut(canvas: OpenCanvas, clipboard?: DataTransfer): boolean {
  if (!canvas.editable.get() || !copy(canvas, clipboard)) return false
  removeChosen(canvas)
  return true
}

/** Once more, a little beside. */
export function duplicate(canvas: OpenCanvas) {
  const ids = chosenOf(canvas).map(({ id }) => id)
  if (ids.length === 0) return false
  const { items } = canvas.store
  const made = copied(clip(ids, items), { x: STEP, y: STEP }, (id) => items.blocks.has(id))
  addBlocks(canvas, made.wanted, made.ids)
}

export function pasteAgain(canvas: OpenCanvas) {
  if (!latest) {
    toast('Nothing was copied here yet. To paste from elsewhere, use the keys.')
    return
  }
  pasteBlocks(canvas, latest)
}

/** Blocks as blocks, pictures and files as uploads, an address as a link, and any other words as a text. */
export function paste(canvas: OpenCanvas, clipboard: DataTransfer, at: { x: number; y: number }): boolean {
  const blocks = blocksIn(clipboard)
  if (blocks) {
    pasteBlocks(canvas, blocks)
    return true
  }
  if (clipboard.files.length > 0) {
    placeFiles(canvas, clipboard.files, at)
    return true
  }
  const words = clipboard.getData('text/plain').trim()
  if (!words) return false
  const type = !/\s/.test(words) && safeHref(words) ? 'link' : 'text'
  const { width, height } = sizeOfNew(type)
  const block = newBlock(type, {
    content: words.slice(0, 100_000),
    x: Math.round(at.x - width / 2),
    y: Math.round(at.y - height / 2),
    ...(type === 'text' && { height: heightFor(words, width) }),
  })
  addBlocks(canvas, { create: { blocks: [inItsGroup(canvas, block)] } }, [block.id])
  return true
}

function pasteBlocks(canvas: OpenCanvas, clipping: Clipping & { projectId: string }) {
  const { store, view, project } = canvas
  const isHome = clipping.projectId === project.id
  pasted++
  const by = isHome ? { x: STEP * pasted, y: STEP * pasted } : toMiddle(clipping, view.center())
  // The files of another project stay there.
  const blocks = isHome ? clipping.blocks : clipping.blocks.map((block) => ({ ...block, fileId: null }))
  const made = copied({ ...clipping, blocks }, by, (id) => isHome && store.items.blocks.has(id))
  addBlocks(canvas, made.wanted, made.ids)
}

function blocksIn(clipboard: DataTransfer): (Clipping & { projectId: string }) | undefined {
  try {
    const found = JSON.parse(clipboard.getData(TYPE))
    return Array.isArray(found.blocks) && found.blocks.length > 0 ? found : undefined
  } catch {
    return undefined
  }
}

/** About as tall as the words need. */
const heightFor = (words: string, width: number) => {
  const perLine = Math.max(1, Math.floor((width - 24) / 7))
  const lines = words
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0)
  return Math.min(Math.max(lines * 20 + 32, 72), 640)
}
