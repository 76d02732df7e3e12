import { type PointerEvent, useState } from 'react'
import { addFigure, constrain } from '../actions/new-figure.ts'
import { useCanvas } from '../canvas-context.ts'
import {
  arrowheadPath,
  asFigureTool,
  drawingPath,
  type FigureTool,
  type Point,
  shapePath,
} from '../model/figures.ts'

/** Minimum screen distance between recorded points. */
const STEP_MIN = 2

/** Captures the pointer while a drawing tool is active. */
export function DrawLayer() {
  const { ui } = useCanvas()
  const tool = asFigureTool(ui.tool.use())
  return tool ? <ActiveDrawLayer key={tool} tool={tool} /> : null
}

interface Stroke {
  pointerId: number
  /** `screen` is relative to the layer, for the preview. */
  screen: Point[]
  canvas: Point[]
}

function ActiveDrawLayer({ tool }: { tool: FigureTool }) {
  const canvas = useCanvas()
  const [stroke, setStroke] = useState<Stroke | null>(null)

  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - box.x, y: event.clientY - box.y }
  }
  const begin = (event: PointerEvent<HTMLElement>) => {
    // A second finger cancels drawing: the user wants to zoom.
    if (stroke || event.button > 0) return setStroke(null)
    event.currentTarget.setPointerCapture(event.pointerId)
    const at = canvas.view.at({ x: event.clientX, y: event.clientY })
    setStroke({ pointerId: event.pointerId, screen: [pointOf(event)], canvas: [at] })
  }
  const extend = (event: PointerEvent<HTMLElement>) => {
    if (stroke?.pointerId !== event.pointerId) return
    const [start] = stroke.screen
    const raw = pointOf(event)
    const point = event.shiftKey && tool !== 'draw' ? constrain(tool, start!, raw) : raw
    const last = stroke.screen.at(-1)!
    if (Math.hypot(point.x - last.x, point.y - last.y) < STEP_MIN) return
    const at = canvas.view.at({ x: event.clientX + point.x - raw.x, y: event.clientY + point.y - raw.y })
    const isFree = tool === 'draw'
    setStroke({
      ...stroke,
      screen: isFree ? [...stroke.screen, point] : [start!, point],
      canvas: isFree ? [...stroke.canvas, at] : [stroke.canvas[0]!, at],
    })
  }
  const finish = () => {
    if (stroke) addFigure(canvas, tool, stroke.canvas)
    setStroke(null)
    canvas.view.element()?.focus({ preventScroll: true })
  }
  return (
    <div
      data-drawing={tool}
      onPointerDown={begin}
      onPointerMove={extend}
      onPointerUp={finish}
      onPointerCancel={() => setStroke(null)}
      // The wheel still pans and zooms.
      onWheel={({ nativeEvent }) =>
        canvas.view
          .element()
          ?.querySelector('.react-flow__pane')
          ?.dispatchEvent(new WheelEvent('wheel', nativeEvent))
      }
      className="absolute inset-0 z-5 cursor-crosshair touch-none"
    >
      {stroke && (
        <svg aria-hidden className="size-full fill-none text-selection-text">
          <Preview tool={tool} points={stroke.screen} />
        </svg>
      )}
    </div>
  )
}

function Preview({ tool, points }: { tool: FigureTool; points: Point[] }) {
  const [from, to] = [points[0]!, points.at(-1)!]
  if (tool === 'draw' || tool === 'line' || tool === 'arrow') {
    return (
      <>
        <path d={drawingPath(points)} stroke="currentColor" strokeWidth={2} strokeLinecap="round" />
        <path d={arrowheadPath(points, tool === 'arrow' ? 'end' : 'none')} fill="currentColor" />
      </>
    )
  }
  const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
  const path = shapePath(tool, Math.abs(to.x - from.x), Math.abs(to.y - from.y))
  return <path d={path} transform={`translate(${x} ${y})`} stroke="currentColor" strokeWidth={1.5} />
}
