import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../../../contract/text.ts'
import type { Meaning } from '../../../../components/status.tsx'
import type { Span } from './timeline.ts'

export interface Bar {
  span: Span
  className: string
}

interface TimelineRowFrameProps {
  id: string
  title: ReactNode
  bars: Bar[]
  positionOf: (time: number) => number
  duration: string
  figures: ReactNode
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

export function TimelineRowFrame(props: TimelineRowFrameProps) {
  const { id, title, bars, positionOf, duration, figures, isOpen, onToggle, children } = props
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        data-row-link={id}
        onClick={onToggle}
        className="flex min-h-row w-full items-center gap-8 px-16 py-8 text-left text-13 -outline-offset-2 hover:bg-hover focus-visible:bg-hover md:px-24"
      >
        <ChevronRight
          aria-hidden
          className={`icon text-neutral-11 transition-transform ${isOpen ? 'rotate-90' : ''}`}
        />
        <span className="flex min-w-0 flex-1 flex-col gap-x-16 gap-y-4 @wide:flex-row @wide:items-center">
          <span className="flex min-w-0 items-center gap-8 @wide:w-1/3">{title}</span>
          <span
            aria-hidden
            className="relative h-8 min-w-0 flex-1 rounded-round bg-neutral-3 @max-wide:flex-none"
          >
            {bars.map(({ span, className }) => (
              <span
                key={`${className}${span.from}`}
                className={`absolute inset-y-0 min-w-4 rounded-round ${className}`}
                style={positionStyle(span, positionOf)}
              />
            ))}
          </span>
        </span>
        <span className="w-when shrink-0 text-right tabular-nums">{duration}</span>
        <span className="hidden w-qr shrink-0 whitespace-nowrap text-right text-12 text-neutral-11 tabular-nums @wide:block">
          {figures}
        </span>
      </button>
      {isOpen && <div className="flex flex-col gap-12 px-16 pt-4 pb-16 md:pr-24 md:pl-48">{children}</div>}
    </>
  )
}

function positionStyle({ from, to }: Span, positionOf: (time: number) => number) {
  const left = positionOf(from) * 100
  return { left: `min(${left}%, 100% - 4px)`, width: `${positionOf(to) * 100 - left}%` }
}

export const STEP_STATES: Record<
  'streaming' | 'done' | 'interrupted' | 'failed',
  { label: string; meaning: Meaning }
> = {
  streaming: { label: t`Writing`, meaning: 'accent' },
  done: { label: t`Done`, meaning: 'good' },
  interrupted: { label: t`Interrupted`, meaning: 'warning' },
  failed: { label: t`Failed`, meaning: 'bad' },
}
