import { useEffect } from 'react'
import { isOnCanvas } from '../flow/focus.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { copy, cut, paste } from './clipboard.ts'

/** Handles the browser's clipboard events while the canvas has the focus. */
export function useClipboard(canvas: OpenCanvas) {
  useEffect(() => {
    const controller = new AbortController()
    const on = (name: 'copy' | 'cut' | 'paste', handle: (clipboard: DataTransfer) => boolean) =>
      document.addEventListener(
        name,
        (event) => {
          const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
          // Selected text on the page takes precedence over selected blocks.
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
