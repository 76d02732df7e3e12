import { POINTS_MAX, SHAPES } from '../../../../contract/canvas/block-fields.ts'
import type { Block } from '../store/items.ts'
import { type Box, boundingBox } from './arrange.ts'
import { headAt } from './edge-path.ts'

type Shape = (typeof SHAPES)[number]
export interface Point {
  x: number
  y: number
}

/** Exact to half a pixel for a 5,000-pixel drawing. */
const PRECISION = 10_000
const SAMPLED_POINTS_MAX = 2000
const HEAD_SCALE = 1.4
const CORNER = 10

export function shapePath(shape: Shape, width: number, height: number): string {
  const [middle, center] = [width / 2, height / 2]
  if (shape === 'diamond') return `M${middle} 0L${width} ${center}L${middle} ${height}L0 ${center}Z`
  const [rx, ry] = shape === 'ellipse' ? [middle, center] : radiiOf(width, height)
  const arc = (x: number, y: number) => `a${rx} ${ry} 0 0 1 ${x} ${y}`
  return `M${rx} 0H${width - rx}${arc(rx, ry)}V${height - ry}${arc(-rx, ry)}H${rx}${arc(-rx, -ry)}V${ry}${arc(rx, -ry)}Z`
}

const radiiOf = (width: number, height: number) => {
  const radius = Math.min(CORNER, width / 2, height / 2)
  return [radius, radius] as const
}

/** Any client can write metadata, so invalid values get a default. */
export const readShape = ({ metadata }: Pick<Block, 'metadata'>): Shape =>
  SHAPES.find((shape) => shape === metadata.shape) ?? 'rectangle'

export function readPoints({
  metadata,
  width,
  height,
}: Pick<Block, 'metadata' | 'width' | 'height'>): Point[] {
  const { points } = metadata
  if (!Array.isArray(points)) return []
  return points.slice(0, POINTS_MAX).flatMap((point) => {
    const [x, y] = Array.isArray(point) ? point : []
    return Number.isFinite(x) && Number.isFinite(y) ? [{ x: x * width, y: y * height }] : []
  })
}

/** Curves join segment midpoints, with the points as handles. */
export function drawingPath(points: readonly Point[]): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (!first || !last) return ''
  const inner = rest.slice(0, -1)
  const curves = inner.map((point, index) => {
    const next = rest[index + 1]!
    const middle =
      index === inner.length - 1 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    return `Q${pair(point)} ${pair(middle)}`
  })
  return `M${pair(first)}${inner.length > 0 ? curves.join('') : `L${pair(last)}`}`
}

export function arrowheadPath(points: readonly Point[], arrows: unknown): string {
  const [first, second] = points
  const [before, last] = points.slice(-2)
  if (!first || !second || !before || !last) return ''
  const head = (from: Point, to: Point) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
    return headAt(to, [(to.x - from.x) / length, (to.y - from.y) / length], HEAD_SCALE)
  }
  return [
    arrows === 'end' || arrows === 'both' ? head(before, last) : '',
    arrows === 'start' || arrows === 'both' ? head(second, first) : '',
  ].join('')
}

/** Ramer–Douglas–Peucker, raising the tolerance until at most `max` points remain. */
export function simplify(points: readonly Point[], tolerance: number, max = POINTS_MAX): Point[] {
  const sampled = thin(points)
  for (let allowed = tolerance; ; allowed *= 1.5) {
    const kept = simplifyOnce(sampled, allowed)
    if (kept.length <= max) return kept
  }
}

/** Samples very long lines, since simplifying a scribble takes quadratic time. */
function thin(points: readonly Point[]): readonly Point[] {
  const step = Math.ceil(points.length / SAMPLED_POINTS_MAX)
  return step < 2 ? points : points.filter((_, index) => index % step === 0 || index === points.length - 1)
}

/** No recursion: depth can reach the point count. */
function simplifyOnce(points: readonly Point[], tolerance: number): Point[] {
  if (points.length < 3) return [...points]
  const keptIndexes = new Set([0, points.length - 1])
  const ranges: [number, number][] = [[0, points.length - 1]]
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const [from, to] = range
    let [farthest, distance] = [-1, tolerance]
    for (let at = from + 1; at < to; at++) {
      const away = distanceTo(points[at]!, points[from]!, points[to]!)
      if (away > distance) [farthest, distance] = [at, away]
    }
    if (farthest < 0) continue
    keptIndexes.add(farthest)
    ranges.push([from, farthest], [farthest, to])
  }
  return points.filter((_, index) => keptIndexes.has(index))
}

export function distanceTo({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const lengthSquared = dx * dx + dy * dy
  const projection = (x - from.x) * dx + (y - from.y) * dy
  const along = lengthSquared === 0 ? 0 : Math.max(0, Math.min(1, projection / lengthSquared))
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy)
}

/** Points are fractions of the box. */
export function fitPoints(points: readonly Point[]): { box: Box; points: [number, number][] } {
  const bounds = boundingBox(points.map(({ x, y }) => ({ x, y, width: 0, height: 0 })))
  const box = {
    x: Math.floor(bounds.x),
    y: Math.floor(bounds.y),
    width: Math.max(1, Math.ceil(bounds.x + bounds.width) - Math.floor(bounds.x)),
    height: Math.max(1, Math.ceil(bounds.y + bounds.height) - Math.floor(bounds.y)),
  }
  const fraction = (value: number) => Math.round(Math.max(0, Math.min(1, value)) * PRECISION) / PRECISION
  return {
    box,
    points: points.map(({ x, y }) => [fraction((x - box.x) / box.width), fraction((y - box.y) / box.height)]),
  }
}

const pair = ({ x, y }: Point) => `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`

export type FigureTool = Shape | 'line' | 'arrow' | 'draw'
const FIGURE_TOOLS: readonly string[] = ['rectangle', 'ellipse', 'diamond', 'line', 'arrow', 'draw']

export const asFigureTool = (tool: string): FigureTool | undefined =>
  FIGURE_TOOLS.includes(tool) ? (tool as FigureTool) : undefined
