import { useEffect } from 'react'
import type { OpenCanvas } from '../open-canvas.ts'

/** Ctrl or ⌘ turns snapping off during a drag, and Alt copies, even if the key is pressed during the drag. */
export function useDragModifiers({ drag }: OpenCanvas) {
  useEffect(() => {
    const controller = new AbortController()
    const options = { signal: controller.signal, capture: true }
    const updateModifiers = (event: KeyboardEvent | PointerEvent) => {
      // Alt alone would open the menu of the browser.
      if (event instanceof KeyboardEvent && event.key === 'Alt' && drag.isActive()) event.preventDefault()
      drag.setModifiers({ isFree: event.ctrlKey || event.metaKey, isCopy: event.altKey })
    }
    for (const name of ['pointermove', 'keydown', 'keyup'] as const)
      window.addEventListener(name, updateModifiers, options)
    return () => controller.abort()
  }, [drag])
}
