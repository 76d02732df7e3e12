import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

interface NoMatchesProps {
  title: ReactNode
  /** What the search covers. */
  children: ReactNode
  onClear: () => void
}

/** The empty state of a list in which a search finds nothing. */
export const NoMatches = ({ title, children, onClear }: NoMatchesProps) => (
  <Empty icon={SearchX} title={title} action={<Button onClick={onClear}>Clear search</Button>}>
    {children}
  </Empty>
)

/** Replaces the rows of a table in which a filter finds nothing. */
export const NoRowsMatch = ({ children }: { children: string }) => (
  <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">{children}</p>
)
