import type { ReactNode } from 'react'

interface DetailPageProps {
  breadcrumb: ReactNode
  /** Actions at the right of the breadcrumb. */
  action?: ReactNode
  panel?: ReactNode
  children: ReactNode
}

/** One record with its own heading: the children begin with it and scroll below the bar of actions. */
export const DetailPage = ({ breadcrumb, action, panel, children }: DetailPageProps) => (
  <div className="relative flex min-h-0 min-w-0 flex-1">
    <div
      data-beside-panel={panel ? '' : undefined}
      className={`group/list min-w-0 flex-1 flex-col ${panel ? 'hidden md:flex' : 'flex'}`}
    >
      <header className="flex min-h-header shrink-0 items-center gap-12 px-16 md:px-24">
        <div className="flex min-w-0 flex-1 items-center">{breadcrumb}</div>
        {action}
      </header>
      <div data-scroll className="@container min-h-0 flex-1 scroll-pt-48 overflow-y-auto">
        {children}
      </div>
    </div>
    {panel}
  </div>
)
