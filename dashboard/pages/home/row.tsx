import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
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
