import { getBezierPath, getSmoothStepPath, getStraightPath, Position } from '@xyflow/react'
import type { Edge } from '../store/items.ts'
import type { Box } from './arrange.ts'

export type EdgeStyle = Edge['style']

const HEAD_LENGTH = 9
const HEAD_HALF = 4
const CORNER = 8

/** Also returns the label position and arrowheads. */
export function edgePath(from: Box, to: Box, { route = 'curved', arrows = 'end' }: EdgeStyle) {
  const [begin, end] = route === 'straight' ? straightEnds(from, to) : endsBetween(from, to)
  const ends = {
    sourceX: begin.x,
    sourceY: begin.y,
    sourcePosition: begin.position,
    targetX: end.x,
    targetY: end.y,
    targetPosition: end.position,
  }
  const [path, x, y] =
    route === 'straight'
      ? getStraightPath(ends)
      : route === 'orthogonal'
        ? getSmoothStepPath({ ...ends, borderRadius: CORNER })
        : getBezierPath(ends)
  const heads = [
    ...(arrows === 'end' || arrows === 'both' ? [headAt(end, directionAt(end, begin, route))] : []),
    ...(arrows === 'start' || arrows === 'both' ? [headAt(begin, directionAt(begin, end, route))] : []),
  ]
  return { path, x, y, heads: heads.join('') }
}

/** Ends where the line toward the other center meets the side. */
function straightEnds(from: Box, to: Box): [End, End] {
  const [begin, end] = endsBetween(from, to)
  return [
    { ...begin, ...exitPoint(from, centerOf(to)) },
    { ...end, ...exitPoint(to, centerOf(from)) },
  ]
}

const centerOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 })

/** Where a line from the center to the point leaves the box. */
function exitPoint(box: Box, point: { x: number; y: number }) {
  const center = centerOf(box)
  const [dx, dy] = [point.x - center.x, point.y - center.y]
  if (dx === 0 && dy === 0) return center
  const scale = Math.min(box.width / 2 / Math.abs(dx || 1e-9), box.height / 2 / Math.abs(dy || 1e-9), 1)
  return { x: center.x + dx * scale, y: center.y + dy * scale }
}

/** Perpendicular to the side, unless the line is straight. */
function directionAt(at: End, other: End, route: string): [number, number] {
  if (route === 'straight') {
    const [dx, dy] = [at.x - other.x, at.y - other.y]
    const length = Math.hypot(dx, dy) || 1
    return [dx / length, dy / length]
  }
  return { left: [1, 0], right: [-1, 0], top: [0, 1], bottom: [0, -1] }[at.position] as [number, number]
}

/** A filled triangle with its tip at the point. */
export function headAt({ x, y }: { x: number; y: number }, [dx, dy]: [number, number], scale = 1): string {
  const [length, half] = [HEAD_LENGTH * scale, HEAD_HALF * scale]
  const [baseX, baseY] = [x - dx * length, y - dy * length]
  const corner = (side: number) => `${round(baseX - dy * half * side)} ${round(baseY + dx * half * side)}`
  return `M${corner(1)}L${round(x)} ${round(y)}L${corner(-1)}Z`
}

const round = (value: number) => Math.round(value * 100) / 100

interface End {
  x: number
  y: number
  position: Position
}

/** Connects the centers of the facing sides. */
export function endsBetween(from: Box, to: Box): [End, End] {
  const dx = to.x + to.width / 2 - (from.x + from.width / 2)
  const dy = to.y + to.height / 2 - (from.y + from.height / 2)
  // Compares gaps, not centers: a wide box above another counts as above.
  const gapX = Math.abs(dx) - (from.width + to.width) / 2
  const gapY = Math.abs(dy) - (from.height + to.height) / 2
  if (gapX >= gapY) {
    return dx >= 0
      ? [sideOf(from, Position.Right), sideOf(to, Position.Left)]
      : [sideOf(from, Position.Left), sideOf(to, Position.Right)]
  }
  return dy >= 0
    ? [sideOf(from, Position.Bottom), sideOf(to, Position.Top)]
    : [sideOf(from, Position.Top), sideOf(to, Position.Bottom)]
}

function sideOf({ x, y, width, height }: Box, position: Position): End {
  switch (position) {
    case Position.Left:
      return { x, y: y + height / 2, position }
    case Position.Right:
      return { x: x + width, y: y + height / 2, position }
    case Position.Top:
      return { x: x + width / 2, y, position }
    case Position.Bottom:
      return { x: x + width / 2, y: y + height, position }
  }
}
