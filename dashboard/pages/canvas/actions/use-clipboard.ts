import { useEffect } from 'react'
import { isOnCanvas } from '../flow/focus.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { copy, cut, paste } from './clipboard.ts'

/** Listens for the browser's own copying, cutting and pasting, while the canvas has the focus. */
export function useClipboard(canvas: OpenCanvas) {
  useEffect(() => {
    const stop = new AbortController()
    const on = (name: 'copy' | 'cut' | 'paste', act: (clipboard: DataTransfer) => boolean) =>
      document.addEventListener(
        name,
        (event) => {
          const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
          // Words that were marked somewhere on the page are meant before any block is.
          const hasMarked = name === 'copy' && getSelection()?.isCollapsed === false
          if (isTyping || hasMarked || !event.clipboardData || !isOnCanvas(canvas.view.element())) return
          if (act(event.clipboardData)) event.preventDefault()
        },
        { signal: stop.signal },
      )
    on('copy', (clipboard) => copy(canvas, clipboard))
    on('cut', (clipboard) => cut(canvas, clipboard))
    on('paste', (clipboard) => {
      if (!canvas.editable.get()) return false
      return paste(canvas, clipboard, canvas.desk.pointer.get() ?? canvas.view.center())
    })
    return () => stop.abort()
  }, [canvas])
}
