import type { ReactNode } from 'react'

interface SectionTitleProps {
  id: string
  count?: number
  action?: ReactNode
  children: string
}

/** Its section uses `aria-labelledby`. */
export const SectionTitle = ({ id, count, action, children }: SectionTitleProps) => (
  <div className="flex min-h-48 items-end gap-8 px-16 pt-24 pb-8 md:px-24">
    <h2 id={id} className="font-strong">
      {children}
    </h2>
    {count !== undefined && <span className="text-13 text-neutral-11 tabular-nums">{count}</span>}
    {action && <span className="ml-auto">{action}</span>}
  </div>
)
