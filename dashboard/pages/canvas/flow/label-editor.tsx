import { useState } from 'react'
import { useCanvas } from '../canvas-context.ts'

/** Edits the label of a connection in place. */
export function LabelEditor({ id, label }: { id: string; label: string }) {
  const { store, ui, view } = useCanvas()
  const [draft, setDraft] = useState(label)
  const finish = () => {
    ui.editing.set(null)
    const text = draft.trim() || null
    if (text !== (label || null)) store.change({ update: { edges: [{ id, label: text }] } })
  }
  return (
    <input
      ref={(input) => {
        if (input && document.activeElement !== input) input.select()
      }}
      aria-label="Connection label"
      maxLength={255}
      value={draft}
      placeholder="Label"
      onChange={(event) => setDraft(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        event.preventDefault()
        finish()
        view.element()?.focus({ preventScroll: true })
      }}
      className="h-24 w-qr rounded-control border border-accent-text bg-neutral-1 px-8 text-center text-12 outline-none"
    />
  )
}
