import { useKeyboard } from '../../frame/keyboard.ts'
import { ShortcutsSheet } from '../../frame/shortcuts-sheet.tsx'
import { closeOverlay, useOverlay } from '../../state/overlay.ts'

/** The keys of the canvas outside of the frame that listens for them otherwise. */
export function GuestKeys() {
  useKeyboard([])
  const overlay = useOverlay()
  return overlay === 'shortcuts' ? <ShortcutsSheet commands={[]} onClose={closeOverlay} /> : null
}
