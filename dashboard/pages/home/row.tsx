import { useRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Time } from '../../components/time.tsx'

interface RowProps {
  icon: LucideIcon
  /** The color of the icon. */
  tone?: string
  /** A link that fills the row. */
  link: ReactNode
  /** The second line: the kind of entry, its reason, and its project. */
  children: ReactNode
  at: string
  action?: ReactNode
  /** The row appeared while the page was open. */
  isNew?: boolean
}

/** An icon, two lines, a time, and an action that appears with the pointer or the focus. */
export function Row({ icon: Icon, tone = 'text-neutral-10', link, children, at, action, isNew }: RowProps) {
  return (
    <li
      className={`group relative flex gap-12 border-neutral-6 border-b py-8 text-13 hover:bg-neutral-2 has-[:focus-visible]:bg-neutral-3 ${isNew ? 'animate-wash' : ''}`}
    >
      <Icon aria-hidden className={`icon mt-px ml-4 ${tone}`} />
      <div className="min-w-0 flex-1">
        {link}
        <p className="line-clamp-2 break-words text-12 text-neutral-11 sm:line-clamp-1">{children}</p>
      </div>
      <span className="flex shrink-0 items-start gap-4 pr-4 text-12 text-neutral-11 tabular-nums">
        <span className="py-px">
          <Time at={at} />
        </span>
        <span className="w-24">{action}</span>
      </span>
    </li>
  )
}

interface PageLinkProps {
  path: string
  /** Identifies the row for the keys of lists. */
  id: string
  children: ReactNode
}

/** A link to a page whose path the server names. It fills its row. */
export function PageLink({ path, id, children }: PageLinkProps) {
  const { history } = useRouter()
  return (
    <a
      href={path}
      data-row-link={id}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        history.push(path)
      }}
      className="row-link block truncate font-medium outline-none"
    >
      {children}
    </a>
  )
}

/** Returns whether a row appeared after the first rendering, so that it is highlighted briefly. */
export function useNewKeys(keys: string[]): (key: string) => boolean {
  const [initialKeys] = useState(() => new Set(keys))
  return (key) => !initialKeys.has(key)
}
