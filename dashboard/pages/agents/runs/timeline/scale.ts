export interface Span {
  from: number
  to: number
}

/** The maximum length of a pause, as a share of the working time: steps stay visible beside a long wait. */
const PAUSE_SHARE_MAX = 0.15

/**
 * Maps times to positions from 0 to 1. Working time is proportional; a pause, such as a wait for an approval, is
 * proportional up to a limit.
 */
export function createScale(workSpans: readonly Span[], { from, to }: Span): (time: number) => number {
  const work = merge(
    workSpans.map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) })),
  )
  const workMs = work.reduce((sum, span) => sum + (span.to - span.from), 0)
  const pauseMax = workMs > 0 ? workMs * PAUSE_SHARE_MAX : Number.POSITIVE_INFINITY
  const pieces = splitByWork(work, { from, to }, pauseMax)
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return (time) => {
    if (total === 0) return 0
    let before = 0
    for (const { from: start, to: end, length } of pieces) {
      if (time < end) {
        const share = time <= start ? 0 : (time - start) / (end - start)
        return (before + share * length) / total
      }
      before += length
    }
    return 1
  }
}

/** Overlapping spans as one, in order. */
function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else merged.push({ ...span })
  }
  return merged
}

/** The whole span as pieces, each with the length that it takes on the screen. */
function splitByWork(work: Span[], { from, to }: Span, pauseMax: number): (Span & { length: number })[] {
  const pieces: (Span & { length: number })[] = []
  let at = from
  const addPause = (until: number) => {
    if (until > at) pieces.push({ from: at, to: until, length: Math.min(until - at, pauseMax) })
  }
  for (const span of work) {
    addPause(span.from)
    pieces.push({ ...span, length: span.to - span.from })
    at = span.to
  }
  addPause(to)
  return pieces
}
