import { useRef } from 'react'

interface NameInputProps {
  label: string
  name: string
  /** How much of it is selected at first; all of it unless told. */
  selectTo?: number
  /** Undefined keeps what was there. */
  onDone: (name: string | undefined) => void
}

/** A name written in place: Enter or leaving it keeps the new one, Escape the old one. */
export function NameInput({ label, name, selectTo = name.length, onDone }: NameInputProps) {
  const settled = useRef(false)
  const settle = (next: string | undefined) => {
    if (settled.current) return
    settled.current = true
    onDone(next?.trim() && next !== name ? next : undefined)
  }
  return (
    <input
      ref={(input) => {
        if (!input || document.activeElement === input) return
        input.focus()
        input.setSelectionRange(0, selectTo)
      }}
      aria-label={label}
      maxLength={255}
      autoComplete="off"
      spellCheck={false}
      defaultValue={name}
      onBlur={(event) => settle(event.currentTarget.value)}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') settle(event.currentTarget.value)
        else if (event.key === 'Escape') settle(undefined)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
      className="relative h-24 w-full min-w-0 rounded-control border border-accent-text bg-neutral-1 px-4 text-13 outline-none max-sm:text-16"
    />
  )
}
