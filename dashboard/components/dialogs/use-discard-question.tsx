import { type FocusEvent, useRef, useState } from 'react'
import { DiscardDialog } from './unsaved-edits.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Asks before a dialog closes whose form has edits. Spread `form` on the form and render `question` after the dialog. */
export function useDiscardQuestion(onClose: () => void) {
  const starts = useRef(new Map<Control, string>())
  const [isAsking, setAsking] = useState(false)
  const remember = ({ target }: FocusEvent) => {
    if (isControl(target) && !starts.current.has(target)) starts.current.set(target, readValue(target))
  }
  const isChanged = () =>
    [...starts.current].some(([control, start]) => control.isConnected && readValue(control) !== start)
  return {
    form: { onFocus: remember },
    close: () => (isChanged() ? setAsking(true) : onClose()),
    question: isAsking && <DiscardDialog onDiscard={onClose} onKeep={() => setAsking(false)} />,
  }
}

const isControl = (target: EventTarget): target is Control =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement

const readValue = (control: Control) =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')
    ? String(control.checked)
    : control.value
