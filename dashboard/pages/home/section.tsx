import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useId, useState } from 'react'

interface SectionProps {
  title: string
  note?: ReactNode
  end?: ReactNode
  children: ReactNode
}

export function HomeSection({ title, note, end, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-8 flex min-h-24 items-center gap-8">
        <h2 id={id} className="shrink-0 font-strong tracking-heading">
          {title}
        </h2>
        {note}
        <span className="ml-auto text-13 text-neutral-11 underline-offset-4 [&>a:hover]:text-neutral-12 [&>a:hover]:underline">
          {end}
        </span>
      </div>
      {children}
    </section>
  )
}

export const CARD = 'overflow-clip rounded-panel bg-card shadow-card'

/** Hairlines between rows, none around. */
export const ROW =
  'relative border-neutral-6 border-b last:border-b-0 hover:bg-hover has-[:focus-visible]:bg-hover'

interface PageLinkProps {
  path: string
  /** Identifies the row for list keys. */
  id: string
  className?: string
  children: ReactNode
}

/** Links to a server-provided path and fills its row. */
export function PageLink({ path, id, className = '', children }: PageLinkProps) {
  const open = useOpenPath(path)
  return (
    <a href={path} data-row-link={id} onClick={open} className={`row-link outline-none ${className}`}>
      {children}
    </a>
  )
}

export function useOpenPath(path: string) {
  const { history } = useRouter()
  return (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    history.push(path)
  }
}

/** For rows that appear after the first render, to highlight them briefly. */
export function useNewKeys(keys: string[]): (key: string) => boolean {
  const [initialKeys] = useState(() => new Set(keys))
  return (key) => !initialKeys.has(key)
}
