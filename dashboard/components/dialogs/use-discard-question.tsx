import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { DiscardDialog } from './unsaved-edits.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Asks before a dialog closes, or the page reloads, whose form has edits. While it saves, it may lead to another site.
 * Spread `form` on the form and render `question` after the dialog.
 */
export function useDiscardQuestion(onClose: () => void, busy: boolean) {
  const starts = useRef(new Map<Control, string>())
  const [isAsking, setAsking] = useState(false)
  const remember = ({ target }: FocusEvent) => {
    if (isControl(target) && !starts.current.has(target)) starts.current.set(target, readValue(target))
  }
  const isChanged = () => hasEdits(starts.current)
  useEffect(() => {
    if (busy) return
    const ask = (event: BeforeUnloadEvent) => {
      if (hasEdits(starts.current)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
  return {
    form: { onFocus: remember },
    close: () => (isChanged() ? setAsking(true) : onClose()),
    question: isAsking && <DiscardDialog onDiscard={onClose} onKeep={() => setAsking(false)} />,
  }
}

const hasEdits = (starts: ReadonlyMap<Control, string>) =>
  [...starts].some(([control, start]) => control.isConnected && readValue(control) !== start)

const isControl = (target: EventTarget): target is Control =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement

const readValue = (control: Control) =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')
    ? String(control.checked)
    : control.value
