import { type SegmentKind, STRIP_SEGMENTS_MAX } from '../../../../../contract/agents/run-figures.ts'
import type { RunStatus } from '../state/run-row.ts'

export interface StripRun {
  status: RunStatus
  startedAt: string | null
  finishedAt: string | null
}

export interface StripStep {
  n: number
  state: 'streaming' | 'done' | 'interrupted' | 'failed'
  startedAt: string
  finishedAt: string | null
}

export interface StripCall {
  step: number
  tool: string
  state: string
  needsApproval: boolean
  startedAt: string | null
  finishedAt: string | null
}

interface Span {
  kind: SegmentKind
  from: number
  to: number
}

export interface Segment {
  kind: SegmentKind
  ms: number
}

/** A shorter gap between steps is the engine's own work. */
const GAP_MS_MIN = 1000

/** What the run spent its time on, in order. Where spans overlap, work covers waiting and a failure covers work. */
export function buildSegments(
  run: StripRun,
  steps: readonly StripStep[],
  calls: readonly StripCall[],
  now: number,
): Segment[] {
  if (run.startedAt === null) return []
  const isOver = run.finishedAt !== null
  const end = isOver ? Date.parse(run.finishedAt!) : now
  const stepEnds = new Map(steps.map((step) => [step.n, step.finishedAt ?? step.startedAt]))
  const spans = [
    ...steps.map((step) => stepSpan(step, end, isOver)),
    ...calls.flatMap((call) => callSpans(call, stepEnds.get(call.step), end, isOver)),
  ]
  const segments = join(flatten(spans, Date.parse(run.startedAt), end))
  const last = segments.at(-1)
  if (run.status === 'failed' && last?.kind !== 'failed') segments.push({ kind: 'failed', ms: 0 })
  return shorten(segments)
}

const stepSpan = ({ state, startedAt, finishedAt }: StripStep, end: number, isOver: boolean): Span => ({
  kind: state === 'failed' ? 'failed' : finishedAt === null && !isOver ? 'live' : 'model',
  from: Date.parse(startedAt),
  to: finishedAt === null ? end : Date.parse(finishedAt),
})

function callSpans(call: StripCall, requestedAt: string | undefined, end: number, isOver: boolean): Span[] {
  const { state, tool, needsApproval, startedAt, finishedAt } = call
  const to = finishedAt === null ? end : Date.parse(finishedAt)
  const endedByDecision = state === 'denied' || state === 'canceled' || tool === 'ask_person'
  const neverRan = needsApproval && (startedAt === null || endedByDecision)
  const wait: Span[] =
    needsApproval && requestedAt !== undefined
      ? [
          {
            kind: 'waiting',
            from: Date.parse(requestedAt),
            to: neverRan || startedAt === null ? to : Date.parse(startedAt),
          },
        ]
      : []
  if (neverRan || startedAt === null) return wait
  const kind = state === 'failed' ? 'failed' : finishedAt === null && !isOver ? workKind(state) : 'tool'
  return [...wait, { kind, from: Date.parse(startedAt), to }]
}

const workKind = (state: string): SegmentKind => (state === 'running' ? 'live' : 'waiting')

const RANKS: Record<SegmentKind, number> = { waiting: 0, model: 1, tool: 2, live: 3, failed: 4 }

function flatten(spans: readonly Span[], start: number, end: number): Segment[] {
  const times = [...new Set([start, end, ...spans.flatMap(({ from, to }) => [from, to])])]
    .filter((time) => time >= start && time <= end)
    .sort((one, other) => one - other)
  return times.slice(1).flatMap((to, index) => {
    const from = times[index]!
    const covering = spans.filter((span) => span.from <= from && span.to >= to)
    if (covering.length === 0 && to - from < GAP_MS_MIN) return []
    const kind = covering.reduce<SegmentKind>(
      (best, span) => (RANKS[span.kind] > RANKS[best] ? span.kind : best),
      'waiting',
    )
    return [{ kind, ms: Math.round(to - from) }]
  })
}

function join(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    if (last?.kind === segment.kind) last.ms += segment.ms
    else joined.push({ ...segment })
  }
  return joined
}

/** The shortest segments become part of the one before them. The last one says how the run ended, so it stays. */
function shorten(segments: Segment[]): Segment[] {
  let left = segments
  while (left.length > STRIP_SEGMENTS_MAX) {
    const inner = left.slice(1, -1)
    const shortest = 1 + inner.indexOf(inner.reduce((least, each) => (each.ms < least.ms ? each : least)))
    left = join(
      left.map((each, index) => (index === shortest ? { kind: left[index - 1]!.kind, ms: each.ms } : each)),
    )
  }
  return left
}
