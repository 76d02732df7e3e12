import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

interface RowToggleProps {
  id: string
  opened: boolean
  onToggle: () => void
  children: ReactNode
}

/** Opens a row of a table in place; the whole row is its target. Other buttons of the row need `relative` to stay above. */
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
