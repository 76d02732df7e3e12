import type { ReactNode } from 'react'

/** A few rows under a heading. */
export function Block({ title, all, children }: { title: string; all?: ReactNode; children: ReactNode }) {
  return (
    <section className="@container">
      <div className="flex items-baseline justify-between border-neutral-6 border-b pb-8">
        <h2 className="font-strong">{title}</h2>
        <span className="text-13 text-neutral-11 underline-offset-4 hover:text-neutral-12 hover:underline">
          {all}
        </span>
      </div>
      <ul>{children}</ul>
    </section>
  )
}

/** A link that fills the row, a state and a time. In a narrow container the state and the time are below the link. */
export function BlockRow({ link, state, when }: { link: ReactNode; state?: ReactNode; when?: ReactNode }) {
  return (
    <li className="relative flex min-h-row flex-wrap items-center gap-x-16 border-neutral-6 border-b text-13 tabular-nums hover:bg-neutral-2 has-[:focus-visible]:bg-neutral-3">
      <span
        className={`min-w-0 flex-1 truncate ${state ? '@max-form:basis-full @max-form:pt-8' : ''} [&>a]:row-link [&>a]:outline-none`}
      >
        {link}
      </span>
      {state && <span className="w-status shrink-0 @max-form:pb-8">{state}</span>}
      {when && (
        <span
          className={`min-w-when shrink-0 text-right text-neutral-11 ${state ? '@max-form:ml-auto @max-form:pb-8' : ''}`}
        >
          {when}
        </span>
      )}
    </li>
  )
}
