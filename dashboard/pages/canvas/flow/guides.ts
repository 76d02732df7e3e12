import type { Box } from '../model/arrange.ts'

/** Along aligned edges or centers. */
export interface Guide {
  /** `x`: a vertical line at this x; `y`: a horizontal one. */
  axis: Axis
  at: number
  from: number
  to: number
}

/** One among several equal gaps between neighbors, measured along the axis. */
export interface Gap {
  axis: Axis
  from: number
  to: number
  /** On the other axis. */
  at: number
}

export interface SnapResult {
  dx: number
  dy: number
  guides: Guide[]
  gaps: Gap[]
}

type Axis = 'x' | 'y'

interface Span {
  start: number
  end: number
  crossStart: number
  crossEnd: number
}

const TOLERANCE = 0.01

/** Moves by at most `reach` per axis, to neighbors' edges and centers or to equal gaps between them. */
export function snapMove(moving: Box, neighbours: readonly Box[], reach: number): SnapResult {
  const snapped = snappedBox(moving, neighbours, reach)
  return {
    dx: snapped.x - moving.x,
    dy: snapped.y - moving.y,
    guides: [...guidesOf(snapped, neighbours, 'x'), ...guidesOf(snapped, neighbours, 'y')],
    gaps: [...gapsOf(snapped, neighbours, 'x'), ...gapsOf(snapped, neighbours, 'y')],
  }
}

/**
 * Moving along one axis can take the box out of the row that gave the other axis equal gaps. It then snaps only to
 * edges and centers, so snapping again doesn't move it.
 */
function snappedBox(moving: Box, neighbours: readonly Box[], reach: number): Box {
  const [xs, ys] = [spansOf(neighbours, 'x'), spansOf(neighbours, 'y')]
  const move = (box: Box, chooseMove: typeof bestMove): Box => ({
    ...box,
    x: box.x + chooseMove(spanOf(box, 'x'), xs, reach),
    y: box.y + chooseMove(spanOf(box, 'y'), ys, reach),
  })
  const snapped = move(moving, bestMove)
  const snappedAgain = move(snapped, bestMove)
  const isStable = isSame(snappedAgain.x, snapped.x) && isSame(snappedAgain.y, snapped.y)
  return isStable ? snapped : move(moving, bestAlignment)
}

export function snapResize(
  box: Box,
  before: Box,
  neighbours: readonly Box[],
  reach: number,
): { box: Box; guides: Guide[] } {
  const [x, width] = snapEdges(box, before, neighbours, reach, 'x')
  const [y, height] = snapEdges(box, before, neighbours, reach, 'y')
  const next = { x, y, width, height }
  const edges = (axis: Axis) => {
    const [current, previous] = [spanOf(next, axis), spanOf(before, axis)]
    const moved = [
      current.start !== previous.start && current.start,
      current.end !== previous.end && current.end,
    ]
    return guidesOf(next, neighbours, axis).filter(({ at }) =>
      moved.some((edge) => edge !== false && isSame(edge, at)),
    )
  }
  return { box: next, guides: [...edges('x'), ...edges('y')] }
}

function snapEdges(box: Box, before: Box, neighbours: readonly Box[], reach: number, axis: Axis) {
  const [current, previous] = [spanOf(box, axis), spanOf(before, axis)]
  const lines = spansOf(neighbours, axis).flatMap(linesOf)
  const snapEdge = (edge: number) =>
    edge +
    nearest(
      lines.map((line) => line - edge),
      reach,
    )
  const start = isSame(current.start, previous.start) ? current.start : snapEdge(current.start)
  const end = isSame(current.end, previous.end) ? current.end : snapEdge(current.end)
  return end - start > 1
    ? ([start, end - start] as const)
    : ([current.start, current.end - current.start] as const)
}

const bestMove = (moving: Span, others: readonly Span[], reach: number): number =>
  nearest([...alignments(moving, others), ...gapMoves(moving, others)], reach)

const bestAlignment = (moving: Span, others: readonly Span[], reach: number): number =>
  nearest(alignments(moving, others), reach)

function alignments(moving: Span, others: readonly Span[]): number[] {
  const ownLines = linesOf(moving)
  return others.flatMap((other) => linesOf(other).flatMap((line) => ownLines.map((own) => line - own)))
}

/** 0 if none is in reach. */
function nearest(moves: readonly number[], reach: number): number {
  let best = 0
  let distance = reach
  for (const move of moves) {
    if (Math.abs(move) > distance) continue
    best = move
    distance = Math.abs(move)
  }
  return best
}

/** Makes the gap to a neighbor equal another gap in the row. */
function gapMoves(moving: Span, others: readonly Span[]): number[] {
  const { before, after } = rowOf(moving, others)
  const [left, beforeLeft] = before
  const [right, afterRight] = after
  const length = moving.end - moving.start
  const moves: number[] = []
  if (left && right && right.start - left.end >= length)
    moves.push((left.end + right.start - length) / 2 - moving.start)
  if (left && beforeLeft && left.start > beforeLeft.end)
    moves.push(left.end + (left.start - beforeLeft.end) - moving.start)
  if (right && afterRight && afterRight.start > right.end)
    moves.push(right.start - (afterRight.start - right.end) - moving.end)
  return moves
}

/** Nearest first. Overlapping neighbors have no gap. */
function rowOf(moving: Span, others: readonly Span[]) {
  const center = (moving.start + moving.end) / 2
  const row = others.filter(
    ({ crossStart, crossEnd }) => crossStart < moving.crossEnd && crossEnd > moving.crossStart,
  )
  return {
    before: row.filter(({ end }) => end <= center).sort((one, other) => other.end - one.end),
    after: row.filter(({ start }) => start >= center).sort((one, other) => one.start - other.start),
  }
}

/** Each guide spans all boxes on it. */
function guidesOf(box: Box, neighbours: readonly Box[], axis: Axis): Guide[] {
  const moving = spanOf(box, axis)
  const guides = new Map<number, Guide>()
  for (const other of spansOf(neighbours, axis)) {
    for (const line of linesOf(other)) {
      const ownLine = linesOf(moving).find((each) => isSame(each, line))
      if (ownLine === undefined) continue
      const at = Math.round(ownLine * 100) / 100
      const { from, to } = guides.get(at) ?? { from: moving.crossStart, to: moving.crossEnd }
      guides.set(at, {
        axis,
        at,
        from: Math.min(from, other.crossStart),
        to: Math.max(to, other.crossEnd),
      })
    }
  }
  return [...guides.values()]
}

/** Empty if the gaps differ. */
function gapsOf(box: Box, neighbours: readonly Box[], axis: Axis): Gap[] {
  const moving = spanOf(box, axis)
  const { before, after } = rowOf(moving, spansOf(neighbours, axis))
  const [left, beforeLeft] = before
  const [right, afterRight] = after
  const gap = (one: Span | undefined, other: Span | undefined): Gap | undefined =>
    one && other && other.start - one.end > TOLERANCE
      ? { axis, from: one.end, to: other.start, at: crossCenter(one, other) }
      : undefined
  const ownGaps = [gap(left, moving), gap(moving, right)]
  const outerGaps = [gap(beforeLeft, left), gap(right, afterRight)]
  const isEqual = (one: Gap, other: Gap) => isSame(one.to - one.from, other.to - other.from)
  const all = [...ownGaps, ...outerGaps].filter((each) => each !== undefined)
  const repeatedGaps = ownGaps.filter(
    (each) => each !== undefined && all.some((other) => other !== each && isEqual(each, other)),
  )
  return all.filter((each) => repeatedGaps.some((own) => own !== undefined && isEqual(own, each)))
}

const crossCenter = (one: Span, other: Span) =>
  (Math.max(one.crossStart, other.crossStart) + Math.min(one.crossEnd, other.crossEnd)) / 2

const linesOf = ({ start, end }: Span) => [start, (start + end) / 2, end]
const isSame = (one: number, other: number) => Math.abs(one - other) < TOLERANCE

const spansOf = (boxes: readonly Box[], axis: Axis) => boxes.map((box) => spanOf(box, axis))
const spanOf = ({ x, y, width, height }: Box, axis: Axis): Span =>
  axis === 'x'
    ? { start: x, end: x + width, crossStart: y, crossEnd: y + height }
    : { start: y, end: y + height, crossStart: x, crossEnd: x + width }
