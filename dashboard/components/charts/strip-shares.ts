import type { StripSegment } from './run-strip.tsx'

/** A wait of days would otherwise hide the work beside it. */
const WAIT_SHARE_MAX = 0.45

/** Relative widths. Work is proportional to its time; all waits together take at most 45 %. */
export function stripShares(segments: readonly Pick<StripSegment, 'kind' | 'ms'>[]): number[] {
  const sumOf = (isWait: boolean) =>
    segments.reduce((sum, { kind, ms }) => ((kind === 'waiting') === isWait ? sum + Math.max(ms, 1) : sum), 0)
  const [waitMs, workMs] = [sumOf(true), sumOf(false)]
  const waitMsMax = (workMs * WAIT_SHARE_MAX) / (1 - WAIT_SHARE_MAX)
  const waitFactor = workMs > 0 && waitMs > waitMsMax ? waitMsMax / waitMs : 1
  return segments.map(({ kind, ms }) => Math.max(ms, 1) * (kind === 'waiting' ? waitFactor : 1))
}
