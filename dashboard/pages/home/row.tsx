import { useRouter } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Time } from '../../components/time.tsx'

interface RowProps {
  icon: LucideIcon
  tone?: string
  /** Fills the row. */
  link: ReactNode
  /** The second line: kind, reason and project. */
  children: ReactNode
  at: string
  action?: ReactNode
  /** Appeared while the page was open. */
  isNew?: boolean
}

export function Row({ icon: Icon, tone = 'text-neutral-10', link, children, at, action, isNew }: RowProps) {
  return (
    <li
      className={`group relative flex gap-12 border-neutral-6 border-b py-8 text-13 hover:bg-hover has-[:focus-visible]:bg-hover ${isNew ? 'animate-wash' : ''}`}
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
  /** Identifies the row for list keys. */
  id: string
  children: ReactNode
}

/** Links to a server-provided path and fills its row. */
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

/** For rows that appear after the first render, to highlight them briefly. */
export function useNewKeys(keys: string[]): (key: string) => boolean {
  const [initialKeys] = useState(() => new Set(keys))
  return (key) => !initialKeys.has(key)
}
