import type { SegmentKind } from '../../../contract/agents/run-figures.ts'
import { t } from '../../../contract/text.ts'
import { formatDuration } from '../amounts.ts'

export interface StripSegment {
  kind: SegmentKind
  ms: number
}

export const SEGMENT_LABELS: Record<SegmentKind, string> = {
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

/** A wait of days would otherwise hide the work beside it. */
const WAIT_SHARE_MAX = 0.45

/** Relative widths. Work is proportional to its time; all waits together take at most 45 %. */
export function stripShares(segments: readonly StripSegment[]): number[] {
  const sumOf = (isWait: boolean) =>
    segments.reduce((sum, { kind, ms }) => ((kind === 'waiting') === isWait ? sum + Math.max(ms, 1) : sum), 0)
  const [waitMs, workMs] = [sumOf(true), sumOf(false)]
  const waitMsMax = (workMs * WAIT_SHARE_MAX) / (1 - WAIT_SHARE_MAX)
  const waitFactor = workMs > 0 && waitMs > waitMsMax ? waitMsMax / waitMs : 1
  return segments.map(({ kind, ms }) => Math.max(ms, 1) * (kind === 'waiting' ? waitFactor : 1))
}

/** `Model 12 s, Tool 3.0 s`. */
export function describeStrip(segments: readonly StripSegment[]): string {
  const totals = Map.groupBy(segments, ({ kind }) => kind)
  const texts = [...totals].map(
    ([kind, parts]) =>
      `${SEGMENT_LABELS[kind]} ${formatDuration(parts.reduce((sum, { ms }) => sum + ms, 0))}`,
  )
  return texts.join(', ') || t`Not started`
}
