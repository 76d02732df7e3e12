import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

interface NoMatchesProps {
  title: ReactNode
  /** What the search covers. */
  children: ReactNode
  onClear: () => void
  /** What `onClear` clears. */
  clears?: 'search' | 'filters'
}

/** The empty state of a list in which a search or the filters find nothing. */
export function NoMatches({ title, children, onClear, clears = 'search' }: NoMatchesProps) {
  return (
    <Empty
      icon={SearchX}
      title={title}
      action={<Button onClick={onClear}>{clears === 'search' ? 'Clear search' : 'Clear filters'}</Button>}
    >
      {children}
    </Empty>
  )
}

/** Replaces the rows of a table in which a filter finds nothing. */
export const NoRowsMatch = ({ children }: { children: string }) => (
  <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">{children}</p>
)
