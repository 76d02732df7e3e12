import { useEffect } from 'react'
import { t } from '../../../../contract/text.ts'
import { safeHref } from '../../../components/markdown/safe-href.ts'
import { toast } from '../../../components/toast.tsx'
import { isOnCanvas } from '../flow/focus.ts'
import {
  type ClipboardItems,
  collectItems,
  duplicateItems,
  offsetToCenter,
} from '../model/duplicate-items.ts'
import { newBlock, sizeOfNew } from '../model/new-block.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { dropFiles } from './drop-files.ts'
import { addBlocks, removeSelected, unlockedSelection, withParentGroup } from './editing.ts'

const TYPE = 'application/x-atrium-blocks'
const STEP = 24

/** For menus, which can't access the system clipboard. */
let lastCopied: (ClipboardItems & { projectId: string }) | undefined
/** Since the last copy; offsets repeated pastes. */
let pasteCount = 0

export function copy(canvas: OpenCanvas, clipboard?: DataTransfer): boolean {
  const ids = canvas.viewModel.selection.get().blocks
  if (ids.size === 0) return false
  lastCopied = { ...collectItems(ids, canvas.store.items), projectId: canvas.project.id }
  pasteCount = 0
  clipboard?.setData(TYPE, JSON.stringify(lastCopied))
  clipboard?.setData(
    'text/plain',
    lastCopied.blocks.map(({ title, content }) => content ?? title ?? '').join('\n\n'),
  )
  return true
}

export function cut(canvas: OpenCanvas, clipboard?: DataTransfer): boolean {
  if (!canvas.editable.get() || !copy(canvas, clipboard)) return false
  removeSelected(canvas)
  return true
}

export function duplicate(canvas: OpenCanvas) {
  const ids = unlockedSelection(canvas).map(({ id }) => id)
  if (ids.length === 0) return false
  const { items } = canvas.store
  const copies = duplicateItems(collectItems(ids, items), { x: STEP, y: STEP }, (id) => items.blocks.has(id))
  addBlocks(canvas, copies.write, copies.ids)
}

export function pasteLastCopied(canvas: OpenCanvas) {
  if (!lastCopied) {
    toast(t`Nothing to paste. Press Ctrl+V to paste from other apps.`)
    return
  }
  pasteBlocks(canvas, lastCopied)
}

/** Files become uploads, a URL a link block, other text a text block. */
function paste(canvas: OpenCanvas, clipboard: DataTransfer, at: { x: number; y: number }): boolean {
  const blocks = blocksIn(clipboard)
  if (blocks) {
    pasteBlocks(canvas, blocks)
    return true
  }
  if (clipboard.files.length > 0) {
    dropFiles(canvas, clipboard.files, at)
    return true
  }
  const text = clipboard.getData('text/plain').trim()
  if (!text) return false
  const type = !/\s/.test(text) && safeHref(text) ? 'link' : 'text'
  const { width, height } = sizeOfNew(type)
  const block = newBlock(type, {
    content: text.slice(0, 100_000),
    x: Math.round(at.x - width / 2),
    y: Math.round(at.y - height / 2),
    ...(type === 'text' && { height: heightFor(text, width) }),
  })
  addBlocks(canvas, { create: { blocks: [withParentGroup(canvas, block)] } }, [block.id])
  return true
}

function pasteBlocks(canvas: OpenCanvas, clipping: ClipboardItems & { projectId: string }) {
  const { store, view, project } = canvas
  const isSameProject = clipping.projectId === project.id
  pasteCount++
  const offset = isSameProject
    ? { x: STEP * pasteCount, y: STEP * pasteCount }
    : offsetToCenter(clipping, view.center())
  // Files belong to their project, so blocks from another project lose them.
  const blocks = isSameProject
    ? clipping.blocks
    : clipping.blocks.map((block) => ({ ...block, fileId: null }))
  const copies = duplicateItems(
    { ...clipping, blocks },
    offset,
    (id) => isSameProject && store.items.blocks.has(id),
  )
  addBlocks(canvas, copies.write, copies.ids)
}

function blocksIn(clipboard: DataTransfer): (ClipboardItems & { projectId: string }) | undefined {
  try {
    const parsed = JSON.parse(clipboard.getData(TYPE))
    return Array.isArray(parsed.blocks) && parsed.blocks.length > 0 ? parsed : undefined
  } catch {
    return undefined
  }
}

/** An estimate. */
const heightFor = (text: string, width: number) => {
  const perLine = Math.max(1, Math.floor((width - 24) / 7))
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0)
  return Math.min(Math.max(lines * 20 + 32, 72), 640)
}

export function useClipboard(canvas: OpenCanvas) {
  useEffect(() => {
    const controller = new AbortController()
    const on = (name: 'copy' | 'cut' | 'paste', handle: (clipboard: DataTransfer) => boolean) =>
      document.addEventListener(
        name,
        (event) => {
          const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
          // Selected text takes precedence over selected blocks.
          const hasTextSelection = name === 'copy' && getSelection()?.isCollapsed === false
          if (isTyping || hasTextSelection || !event.clipboardData || !isOnCanvas(canvas.view.element()))
            return
          if (handle(event.clipboardData)) event.preventDefault()
        },
        { signal: controller.signal },
      )
    on('copy', (clipboard) => copy(canvas, clipboard))
    on('cut', (clipboard) => cut(canvas, clipboard))
    on('paste', (clipboard) => {
      if (!canvas.editable.get()) return false
      return paste(canvas, clipboard, canvas.ui.pointer.get() ?? canvas.view.center())
    })
    return () => controller.abort()
  }, [canvas])
}
