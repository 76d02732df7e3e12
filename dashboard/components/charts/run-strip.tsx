import type { SegmentKind } from '../../../contract/agents/run-figures.ts'
import { t } from '../../../contract/text.ts'
import { formatDuration } from '../amounts.ts'
import { stripShares } from './strip-shares.ts'

export interface StripSegment {
  kind: SegmentKind
  ms: number
}

const SEGMENT_LABELS: Record<SegmentKind, string> = {
  model: t`Model`,
  tool: t`Tool`,
  waiting: t`Waiting`,
  failed: t`Failed`,
  live: t`Running`,
}

export const SEGMENT_COLORS: Record<SegmentKind, string> = {
  model: 'bg-neutral-8',
  tool: 'bg-info-mark',
  waiting: 'bg-warning-mark',
  failed: 'bg-bad-mark',
  live: 'bg-accent-mark',
}

/** A run's time from left to right, by what it spent it on. */
export function RunStrip({ segments, className = 'w-[96px]' }: { segments: readonly StripSegment[]; className?: string }) {
  const shares = stripShares(segments)
  return (
    <span role="img" aria-label={describeStrip(segments)} className={`flex h-8 gap-2 ${className}`}>
      {segments.map(({ kind }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: segments have no identity but their order.
          key={index}
          className={`min-w-[3px] rounded-[2px] ${SEGMENT_COLORS[kind]}`}
          style={{ flexGrow: shares[index], flexBasis: 0 }}
        />
      ))}
    </span>
  )
}

/** `Model 12 s, Tool 3.0 s`. */
function describeStrip(segments: readonly StripSegment[]): string {
  const totals = Map.groupBy(segments, ({ kind }) => kind)
  const texts = [...totals].map(
    ([kind, parts]) => `${SEGMENT_LABELS[kind]} ${formatDuration(parts.reduce((sum, { ms }) => sum + ms, 0))}`,
  )
  return texts.join(', ') || t`Not started`
}

export const StripLegend = () => (
  <span aria-hidden className="flex gap-12 text-12 text-neutral-11">
    {(['model', 'tool', 'waiting'] as const).map((kind) => (
      <span key={kind} className="flex items-center gap-4">
        <span className={`size-8 rounded-[2px] ${SEGMENT_COLORS[kind]}`} />
        {SEGMENT_LABELS[kind]}
      </span>
    ))}
  </span>
)
