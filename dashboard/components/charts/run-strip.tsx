import { describeStrip, SEGMENT_COLORS, SEGMENT_LABELS, type StripSegment, stripShares } from './strip.ts'

/** A run's time from left to right, by what it spent it on. */
export function RunStrip({
  segments,
  className = 'w-[96px]',
}: {
  segments: readonly StripSegment[]
  className?: string
}) {
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
