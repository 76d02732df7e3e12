import { type Box, bringToFront, roundBox } from '../model/arrange.ts'
import { type FigureTool, fitPoints, type Point, simplify } from '../model/figures.ts'
import { newBlock } from '../model/new-block.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { NewBlock } from '../store/items.ts'
import { withParentGroup } from './editing.ts'

const SHAPE_SIZE = { width: 160, height: 96 }
const LINE_LENGTH = 160
/** A shorter drag is a click. */
const DRAG_MIN = 6
/** In screen pixels. */
const TOLERANCE = 0.75

/** Uses the default size after a click. Undefined for a dot. */
export function drawFigure(tool: FigureTool, line: readonly Point[], zoom: number): NewBlock | undefined {
  const [from, to] = [line[0], line.at(-1)]
  if (!from || !to) return undefined
  const isClick = line.every(({ x, y }) => Math.hypot(x - from.x, y - from.y) * zoom < DRAG_MIN)
  if (tool === 'draw') return isClick ? undefined : newDrawing(simplify(line, TOLERANCE / zoom))
  if (tool === 'line' || tool === 'arrow') {
    const half = LINE_LENGTH / 2
    const ends = isClick
      ? [
          { x: from.x - half, y: from.y },
          { x: from.x + half, y: from.y },
        ]
      : [from, to]
    return newDrawing(ends, tool === 'arrow' ? { arrows: 'end' } : {})
  }
  const { width, height } = SHAPE_SIZE
  const box = isClick
    ? { x: from.x - width / 2, y: from.y - height / 2, width, height }
    : boxBetween(from, to)
  return newBlock('shape', { ...roundBox(box), metadata: { shape: tool } })
}

/** With Shift: a square, a circle, or a line at a multiple of 45°. */
export function constrain(tool: FigureTool, from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  if (tool === 'line' || tool === 'arrow') {
    const step = Math.PI / 4
    const angle = Math.round(Math.atan2(dy, dx) / step) * step
    const length = Math.hypot(dx, dy)
    return { x: from.x + Math.cos(angle) * length, y: from.y + Math.sin(angle) * length }
  }
  const side = Math.max(Math.abs(dx), Math.abs(dy))
  return { x: from.x + side * (Math.sign(dx) || 1), y: from.y + side * (Math.sign(dy) || 1) }
}

/** The pen stays active for the next line; shapes are selected. */
export function addFigure(canvas: OpenCanvas, tool: FigureTool, line: readonly Point[]): boolean {
  const figure = drawFigure(tool, line, canvas.view.zoom())
  if (!figure) return false
  const { store, viewModel, ui } = canvas
  const [block] = bringToFront([withParentGroup(canvas, figure)], store.items.blocks.values())
  store.change({ create: { blocks: [block!] } })
  if (tool === 'draw') return true
  viewModel.select([block!.id])
  ui.tool.set('select')
  return true
}

function newDrawing(points: readonly Point[], metadata: Record<string, unknown> = {}): NewBlock {
  const { box, points: fractions } = fitPoints(points)
  return newBlock('drawing', { ...box, metadata: { ...metadata, points: fractions } })
}

const boxBetween = (from: Point, to: Point): Box => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  width: Math.abs(to.x - from.x),
  height: Math.abs(to.y - from.y),
})
