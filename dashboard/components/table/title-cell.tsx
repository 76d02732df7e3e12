import type { ReactNode } from 'react'

interface TitleCellProps {
  /** A face or a mark. */
  face?: ReactNode
  /** The row's link. */
  children: ReactNode
  note: ReactNode
}

/** A row's link with a quiet second line. */
export const TitleCell = ({ face, children, note }: TitleCellProps) => (
  <span className="flex min-w-0 items-center gap-12">
    {face}
    <span className="flex min-w-0 flex-1 flex-col">
      {children}
      <span className="block truncate text-12 text-neutral-11">{note}</span>
    </span>
  </span>
)

export const TITLE_LINK = 'row-link block max-w-full truncate text-left font-medium outline-none'
