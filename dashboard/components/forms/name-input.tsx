import { useRef } from 'react'

interface NameInputProps {
  label: string
  name: string
  /** Where the initial selection ends; defaults to the full name. */
  selectTo?: number
  /** Undefined if unchanged. */
  onDone: (name: string | undefined) => void
}

export function NameInput({ label, name, selectTo = name.length, onDone }: NameInputProps) {
  const done = useRef(false)
  const finish = (next: string | undefined) => {
    if (done.current) return
    done.current = true
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
      onBlur={(event) => finish(event.currentTarget.value)}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') finish(event.currentTarget.value)
        else if (event.key === 'Escape') finish(undefined)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
      className="relative h-24 w-full min-w-0 rounded-control border border-selection bg-card px-4 text-13 outline-none max-sm:text-16"
    />
  )
}
