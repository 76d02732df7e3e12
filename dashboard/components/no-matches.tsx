import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

interface NoMatchesProps {
  title: ReactNode
  children: ReactNode
  onClear: () => void
}

export const NoMatches = ({ title, children, onClear }: NoMatchesProps) => (
  <Empty icon={SearchX} title={title} action={<Button onClick={onClear}>Clear search</Button>}>
    {children}
  </Empty>
)

export const NoRowsMatch = ({ children }: { children: string }) => (
  <p className="px-16 py-12 text-13 text-neutral-11 md:px-24">{children}</p>
)
