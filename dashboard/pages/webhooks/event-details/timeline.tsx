import type { ReactNode } from 'react'
import type { Meaning } from '../../../components/status.tsx'

export function Timeline({ children }: { children: ReactNode }) {
  return <ol className="flex flex-col">{children}</ol>
}

interface TimelineStepProps {
  meaning: Meaning
  title: ReactNode
  /** Right of the title: the time, or an action. */
  aside?: ReactNode
  children?: ReactNode
}

export function TimelineStep({ meaning, title, aside, children }: TimelineStepProps) {
  return (
    <li className="group/step flex gap-12">
      <span aria-hidden className="flex flex-col items-center pt-8">
        <span className={`size-8 shrink-0 rounded-round ${DOTS[meaning]}`} />
        <span className="mt-4 w-px flex-1 bg-neutral-6 group-last/step:hidden" />
      </span>
      <div className="min-w-0 flex-1 pb-16 group-last/step:pb-0">
        <div className="flex min-h-24 items-center justify-between gap-12">
          <span className="min-w-0 font-medium text-13">{title}</span>
          {aside && <span className="shrink-0 text-12 text-neutral-11">{aside}</span>}
        </div>
        {children && <div className="wrap-anywhere text-13 text-neutral-11">{children}</div>}
      </div>
    </li>
  )
}

const DOTS: Record<Meaning, string> = {
  good: 'bg-good-text',
  warning: 'bg-warning-text',
  bad: 'bg-bad-text',
  info: 'bg-info-text',
  accent: 'bg-accent-text',
  neutral: 'bg-neutral-9',
}
