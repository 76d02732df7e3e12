import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

interface RowToggleProps {
  id: string
  opened: boolean
  onToggle: () => void
  children: ReactNode
}

/** Expands a table row; the whole row is clickable. Other buttons in the row need `relative` to stay on top. */
export function RowToggle({ id, opened, onToggle, children }: RowToggleProps) {
  return (
    <button
      type="button"
      aria-expanded={opened}
      data-row-link={id}
      onClick={onToggle}
      className="row-link flex w-full items-center gap-8 text-left outline-none"
    >
      <ChevronRight
        aria-hidden
        className={`icon text-neutral-11 transition-transform ${opened ? 'rotate-90' : ''}`}
      />
      {children}
    </button>
  )
}
