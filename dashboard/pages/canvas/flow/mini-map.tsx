import { type PointerEvent, useState } from 'react'
import { type Box, boundsOf } from '../actions/arrange.ts'
import { toneOf } from '../blocks/tones.ts'
import { useCanvas } from '../canvas-context.ts'
import { inksOf } from './canvas-colors.ts'
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
  const [map] = useState(createMap)
  const isEmpty = board.drawn.useSelect(({ nodes }) => nodes.length === 0)
  const isShown = desk.map.use() && !isEmpty
  const paper = usePainting(isShown, (on, sight) => {
    map.paint(on, board.drawn.get().nodes, seenIn(sight))
  })
  const look = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons === 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = event.currentTarget.getBoundingClientRect()
    const { zoom, x, y } = map.scale()
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

interface Scale {
  zoom: number
  x: number
  y: number
}

/** While only the view moves, as it mostly does, the blocks are not painted again: their picture is kept. */
function createMap() {
  const picture = document.createElement('canvas')
  let kept: { nodes: readonly BlockNode[]; ink: ReturnType<typeof inksOf>; bounds: Box } | undefined
  let scale: Scale = { zoom: 1, x: 0, y: 0 }
  let painted = ''

  return {
    scale: () => scale,
    paint(paper: HTMLCanvasElement, nodes: readonly BlockNode[], seen: Box) {
      const { pen, ratio } = cleared(paper, WIDTH, HEIGHT)
      const ink = inksOf(paper)
      const isKept = kept?.nodes === nodes && kept.ink === ink
      if (!kept || !isKept) kept = { nodes, ink, bounds: boundsOf(nodes.map(boxOf)) }
      scale = scaleOf(boundsOf([kept.bounds, seen]))
      const { zoom, x, y } = scale
      const wanted = [zoom, x, y, ratio].join()
      if (!isKept || painted !== wanted) paintBlocks(picture, nodes, ink, scale)
      painted = wanted
      pen.drawImage(picture, 0, 0)
      pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
      pen.strokeStyle = ink.chosen
      pen.lineWidth = 1.5 / zoom
      pen.strokeRect(seen.x, seen.y, seen.width, seen.height)
    },
  }
}

const boxOf = ({ position, width = 0, height = 0 }: BlockNode): Box => ({ ...position, width, height })

function scaleOf(around: Box): Scale {
  const zoom = Math.min((WIDTH - 2 * MARGIN) / around.width, (HEIGHT - 2 * MARGIN) / around.height)
  return {
    zoom,
    x: (WIDTH - around.width * zoom) / 2 - around.x * zoom,
    y: (HEIGHT - around.height * zoom) / 2 - around.y * zoom,
  }
}

function paintBlocks(
  picture: HTMLCanvasElement,
  nodes: readonly BlockNode[],
  ink: ReturnType<typeof inksOf>,
  { zoom, x, y }: Scale,
) {
  const { pen, ratio } = cleared(picture, WIDTH, HEIGHT)
  pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
  const least = 1 / zoom
  for (const isGroup of [true, false]) {
    for (const { position, width = 0, height = 0, data, selected } of nodes) {
      if ((data.block.type === 'group') !== isGroup) continue
      const tone = toneOf(data.block.color)
      const plain = isGroup ? ink.group : ink.edge
      pen.fillStyle = selected ? ink.chosen : tone ? ink[`${tone}-line`] : plain
      pen.fillRect(position.x, position.y, Math.max(width, least), Math.max(height, least))
    }
  }
}
