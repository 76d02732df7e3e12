import type { ReactNode } from 'react'

interface BlockProps {
  title: string
  note?: ReactNode
  headingEnd?: ReactNode
  children: ReactNode
}

export function Block({ title, note, headingEnd, children }: BlockProps) {
  return (
    <section className="@container" aria-label={title}>
      <div className="flex min-h-32 items-center gap-8 border-neutral-6 border-b">
        <h2 className="shrink-0 font-strong">{title}</h2>
        {note && <span className="min-w-0 truncate text-12 text-neutral-11">{note}</span>}
        <span className="ml-auto text-13 text-neutral-11 underline-offset-4 [&>a:hover]:text-neutral-12 [&>a:hover]:underline">
          {headingEnd}
        </span>
      </div>
      {children}
    </section>
  )
}
