import type { ReactNode } from 'react'

/** The numbers above a list, four in a row where they fit. */
export const Figures = ({ children }: { children: ReactNode }) => (
  <dl className="grid max-w-sheet grid-cols-2 gap-x-24 gap-y-16 px-16 py-16 @medium:grid-cols-4 md:px-24">
    {children}
  </dl>
)

interface FigureProps {
  label: string
  value: ReactNode
  note: string | undefined
  /** A small chart. */
  children?: ReactNode
}

export const Figure = ({ label, value, note, children }: FigureProps) => (
  <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] gap-x-12 border-neutral-6 @medium:not-last:border-r @medium:not-last:pr-24">
    <dt className="text-12 text-neutral-11">{label}</dt>
    <dd className="col-start-1 whitespace-nowrap font-strong text-20 tracking-heading tabular-nums">
      {value}
    </dd>
    <dd className="col-span-2 truncate text-12 text-neutral-11 tabular-nums" title={note}>
      {note ?? '\u00a0'}
    </dd>
    <dd className="col-start-2 row-span-2 row-start-1 hidden self-end pb-2 group-data-beside-panel/list:hidden @wide:block">
      {children}
    </dd>
  </div>
)
