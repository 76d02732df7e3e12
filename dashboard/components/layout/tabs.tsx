import type { ReactNode } from 'react'

/** Tabs that are links: each view has its own URL. */
export function TabRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav
      aria-label={label}
      className="flex shrink-0 flex-wrap gap-x-4 border-neutral-6 border-b px-8 md:px-16"
    >
      {children}
    </nav>
  )
}

/** The class of one tab; the current one has `aria-current`. */
export const TAB =
  'flex h-row shrink-0 items-center gap-8 border-b-2 border-transparent px-8 text-13 text-neutral-11 -outline-offset-2 transition-colors hover:text-neutral-12 aria-[current]:border-accent-text aria-[current]:font-medium aria-[current]:text-neutral-12'
