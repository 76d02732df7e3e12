import type { ReactNode } from 'react'

interface ViewRowProps {
  label: string
  /** A filter, in the same row. */
  end?: ReactNode
  children: ReactNode
}

/** The views of one tab, as quieter links below it. */
export const ViewRow = ({ label, end, children }: ViewRowProps) => (
  <div className="flex min-h-row shrink-0 items-center gap-12 px-16 pt-12 pb-4 md:px-24">
    <nav aria-label={label} className="flex min-w-0 gap-4 overflow-x-auto [scrollbar-width:none]">
      {children}
    </nav>
    {end}
  </div>
)

export const VIEW =
  'flex h-24 shrink-0 items-center gap-4 rounded-round px-12 font-medium text-12 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12 aria-[current]:bg-selected aria-[current]:text-neutral-12'

/** Tabs are links: each view has its own URL. If they don't fit, the row scrolls to the current one. */
export function TabRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      ref={scrollToCurrent}
      aria-label={label}
      className="flex shrink-0 gap-x-4 overflow-x-auto [scrollbar-width:none] border-neutral-6 border-b px-8 md:px-16"
    >
      {children}
    </nav>
  )
}

const scrollToCurrent = (row: HTMLElement | null) =>
  row?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

export const TAB =
  'flex h-row shrink-0 items-center gap-8 border-b-2 border-transparent px-8 font-medium text-13 text-neutral-11 -outline-offset-2 transition-colors hover:text-neutral-12 aria-[current]:border-neutral-12 aria-[current]:text-neutral-12'
