import { type PointerEvent, useRef } from 'react'
import { type Box, boundsOf } from '../acts/arrange.ts'
import { toneOf } from '../blocks/tones.ts'
import { useCanvas } from '../canvas-context.ts'
import { inksOf } from './inks.ts'
import type { BlockNode } from './nodes.ts'
import { cleared, type Sight, usePainting } from './use-painting.ts'

const WIDTH = 168
const HEIGHT = 112
const MARGIN = 8

/**
 * Everything at a glance, and the part of it that is in sight. Painted, not built of elements: thousands of blocks cost
 * one picture. To whoever does not see it, the outline in the navigator says the same.
 */
export function MiniMap() {
  const { board, view, desk } = useCanvas()
  const scale = useRef({ zoom: 1, x: 0, y: 0 })
  const isEmpty = board.drawn.useOf(({ nodes }) => nodes.length === 0)
  const isShown = desk.map.use() && !isEmpty
  const paper = usePainting(isShown, (on, sight) => {
    scale.current = paint(on, board.drawn.get().nodes, seenIn(sight))
  })
  const look = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons === 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = event.currentTarget.getBoundingClientRect()
    const { zoom, x, y } = scale.current
    view.lookAt({ x: (event.clientX - box.x - x) / zoom, y: (event.clientY - box.y - y) / zoom })
  }
  if (!isShown) return null
  return (
    <div
      aria-hidden
      onPointerDown={look}
      onPointerMove={look}
      className="canvas-map cursor-pointer touch-none overflow-hidden rounded-panel border border-neutral-6 bg-neutral-1"
    >
      <canvas ref={paper} style={{ width: WIDTH, height: HEIGHT }} className="block" />
    </div>
  )
}

const seenIn = ({ transform: [x, y, zoom], width, height }: Sight): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
})

function paint(paper: HTMLCanvasElement, nodes: readonly BlockNode[], seen: Box) {
  const { pen, ratio } = cleared(paper, WIDTH, HEIGHT)
  const ink = inksOf(paper)
  const boxes = nodes.map(({ position, width = 0, height = 0 }) => ({ ...position, width, height }))
  const around = boundsOf([...boxes, seen])
  const zoom = Math.min((WIDTH - 2 * MARGIN) / around.width, (HEIGHT - 2 * MARGIN) / around.height)
  const x = (WIDTH - around.width * zoom) / 2 - around.x * zoom
  const y = (HEIGHT - around.height * zoom) / 2 - around.y * zoom
  pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
  const least = 1 / zoom
  for (const isGroup of [true, false]) {
    nodes.forEach(({ data: { block }, selected }, index) => {
      if ((block.type === 'group') !== isGroup) return
      const tone = toneOf(block.color)
      const plain = isGroup ? ink.group : ink.edge
      pen.fillStyle = selected ? ink.chosen : tone ? ink[`${tone}-line`] : plain
      const box = boxes[index]!
      pen.fillRect(box.x, box.y, Math.max(box.width, least), Math.max(box.height, least))
    })
  }
  pen.strokeStyle = ink.chosen
  pen.lineWidth = 1.5 / zoom
  pen.strokeRect(seen.x, seen.y, seen.width, seen.height)
  return { zoom, x, y }
}
