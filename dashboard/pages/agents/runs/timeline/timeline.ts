import type { AgentCall, AgentRun, AgentStep } from '../../../../api/runs.ts'

/** An attempt at a step, or a call. */
export interface TimelineRow {
  key: string
  step: AgentStep
  call: AgentCall | null
  /** Null for a call that hasn't started. */
  span: Span | null
  wait: Span | null
  /** Later attempts at the same step follow. */
  isRepeated: boolean
}

export interface Timeline {
  rows: TimelineRow[]
  positionOf: (time: number) => number
}

type Times = Pick<AgentRun, 'createdAt' | 'startedAt' | 'finishedAt'>

/** Unfinished steps last until `now`. */
export function buildTimeline(run: Times, steps: readonly AgentStep[], now: number): Timeline {
  const lastAttempts = new Map(steps.map(({ n, attempt }) => [n, attempt]))
  const rows = steps.flatMap((step) => [
    stepRow(step, now, lastAttempts.get(step.n) !== step.attempt),
    ...step.calls.map((call) => callRow(step, call, now)),
  ])
  const from = timeOf(run.startedAt ?? run.createdAt)
  const ends = rows.flatMap(({ span, wait }) => [span?.to ?? from, wait?.to ?? from])
  const to = Math.max(run.finishedAt ? timeOf(run.finishedAt) : now, ...ends)
  const workSpans = rows.flatMap(({ span }) => (span ? [span] : []))
  return { rows, positionOf: createScale(workSpans, { from, to }) }
}

const FOLDED_MIN = 12
const SHOWN_CALLS_MAX = 5

/** Hides finished calls in steps with many, except the first ones. Steps in `unfolded` show all. */
export function foldCalls(rows: readonly TimelineRow[], unfolded: ReadonlySet<number>) {
  const hiddenCounts = new Map<number, number>()
  const visibleRows = rows.filter(({ step, call }) => {
    if (!call || unfolded.has(step.n) || step.calls.length < FOLDED_MIN) return true
    if (call.ordinal <= SHOWN_CALLS_MAX || call.state !== 'done') return true
    hiddenCounts.set(step.n, (hiddenCounts.get(step.n) ?? 0) + 1)
    return false
  })
  return { visibleRows, hiddenCounts }
}

const timeOf = (text: string) => Date.parse(text)

const stepRow = (step: AgentStep, now: number, isRepeated: boolean): TimelineRow => ({
  key: `${step.n}.${step.attempt}`,
  step,
  call: null,
  span: spanOf(timeOf(step.startedAt), step.finishedAt, now),
  wait: null,
  isRepeated,
})

function callRow(step: AgentStep, call: AgentCall, now: number): TimelineRow {
  const requestedAt = timeOf(step.finishedAt ?? step.startedAt)
  const needsApproval = call.approvalId !== null
  // A denied call never started: it ends with the decision.
  const neverRan = needsApproval && (call.startedAt === null || endedByDecision(call))
  const until = neverRan ? call.finishedAt : call.startedAt
  return {
    key: `${step.n}.${step.attempt}.${call.ordinal}`,
    step,
    call,
    span: neverRan || call.startedAt === null ? null : spanOf(timeOf(call.startedAt), call.finishedAt, now),
    wait: needsApproval ? spanOf(requestedAt, until, now) : null,
    isRepeated: false,
  }
}

const endedByDecision = ({ state, tool }: AgentCall) =>
  state === 'denied' || state === 'canceled' || tool === 'ask_person'

const spanOf = (from: number, end: string | null, now: number): Span => ({
  from,
  to: Math.max(from, end === null ? now : timeOf(end)),
})

export interface Span {
  from: number
  to: number
}

/** A pause's maximum share of the working time, so steps stay visible beside a long wait. */
const PAUSE_SHARE_MAX = 0.15

/**
 * Maps times to 0–1. Working time is proportional; a pause, such as a wait for approval, is proportional up to a limit.
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

function merge(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else merged.push({ ...span })
  }
  return merged
}

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
