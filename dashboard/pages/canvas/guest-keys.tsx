import { useKeyboard } from '../../frame/keyboard.ts'
import { ShortcutsSheet } from '../../frame/shortcuts-sheet.tsx'
import { closeOverlay, useOverlay } from '../../state/overlay.ts'

/** Keyboard shortcuts for guests, whose page has no app frame. */
export function GuestKeys() {
  useKeyboard([])
  const overlay = useOverlay()
  return overlay === 'shortcuts' ? <ShortcutsSheet commands={[]} onClose={closeOverlay} /> : null
}
