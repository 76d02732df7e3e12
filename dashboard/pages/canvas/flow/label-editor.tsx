import { useState } from 'react'
import { useCanvas } from '../canvas-context.ts'

/** The words on a line, written where they stand. */
export function LabelEditor({ id, label }: { id: string; label: string }) {
  const { store, desk, view } = useCanvas()
  const [draft, setDraft] = useState(label)
  const end = () => {
    desk.editing.set(null)
    const words = draft.trim() || null
    if (words !== (label || null)) store.change({ update: { edges: [{ id, label: words }] } })
  }
  return (
    <input
      ref={(input) => {
        if (input && document.activeElement !== input) input.select()
      }}
      aria-label="Words on the connection"
      maxLength={255}
      value={draft}
      placeholder="Label"
      onChange={(event) => setDraft(event.target.value)}
      onBlur={end}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        end()
        view.element()?.focus({ preventScroll: true })
      }}
      className="h-24 w-qr rounded-control border border-accent-text bg-neutral-1 px-8 text-center text-12 outline-none"
    />
  )
}
