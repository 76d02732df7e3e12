import { Check, CircleDashed, LoaderCircle, type LucideIcon, Pause, Square, X } from 'lucide-react'
import type { AgentRun, RunStatus as Value } from '../../../api/runs.ts'
import { describeRunStatus, shownStatus } from './run-labels.ts'

const ICONS: Record<Value, { icon: LucideIcon; tone: string }> = {
  queued: { icon: CircleDashed, tone: 'text-neutral-10' },
  running: { icon: LoaderCircle, tone: 'text-accent-mark' },
  waiting: { icon: Pause, tone: 'bg-warning-wash text-warning-text' },
  succeeded: { icon: Check, tone: 'bg-good-wash text-good-text' },
  failed: { icon: X, tone: 'bg-bad-wash text-bad-text' },
  canceled: { icon: Square, tone: 'bg-neutral-4 text-neutral-11' },
}

const CLASSES: Partial<Record<Value, string>> = {
  running: 'motion-safe:animate-spin',
  waiting: 'fill-current stroke-1',
  canceled: 'fill-current stroke-0',
}

/** A shape per status, since color alone isn't accessible. */
export function StatusIcon({ run }: { run: AgentRun }) {
  const status = shownStatus(run)
  const { icon: Icon, tone } = ICONS[status]
  const { label } = describeRunStatus(run)
  const isRing = status === 'running' || status === 'queued'
  return (
    <span title={label} className={`grid size-16 shrink-0 place-items-center rounded-round ${tone}`}>
      <Icon aria-hidden size={isRing ? 16 : 10} strokeWidth={isRing ? 2 : 3} className={CLASSES[status]} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

const PILLS = {
  good: 'bg-good-wash text-good-text',
  warning: 'bg-warning-wash text-warning-text',
  bad: 'bg-bad-wash text-bad-text',
  info: 'bg-accent-wash text-accent-text',
  accent: 'bg-accent-wash text-accent-text',
  neutral: 'bg-neutral-4 text-neutral-11',
} as const

export function StatusPill({ run }: { run: AgentRun }) {
  const { label, meaning } = describeRunStatus(run)
  return (
    <span className={`shrink-0 rounded-control px-8 py-2 font-medium text-12 ${PILLS[meaning]}`}>
      {label}
    </span>
  )
}
