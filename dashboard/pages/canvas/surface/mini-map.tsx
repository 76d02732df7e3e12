import { type PointerEvent, useState } from 'react'
import { useCanvas } from '../canvas-context.ts'
import type { BlockNode } from '../flow/nodes.ts'
import { type Box, boundingBox } from '../model/arrange.ts'
import { colorTone } from '../model/tones.ts'
import { canvasColors, clearCanvas, usePainting, type Viewport } from './use-painting.ts'

const WIDTH = 168
const HEIGHT = 112
const MARGIN = 8

/** One image for thousands of blocks. Hidden from screen readers, which use the navigator's outline. */
export function MiniMap() {
  const { viewModel, view, ui } = useCanvas()
  const [map] = useState(createMap)
  const isEmpty = viewModel.rendered.useSelect(({ nodes }) => nodes.length === 0)
  const isShown = ui.map.use() && !isEmpty
  const element = usePainting(isShown, (surface, viewport) => {
    map.paint(surface, viewModel.rendered.get().nodes, viewportBox(viewport))
  })
  const moveViewport = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons === 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const box = event.currentTarget.getBoundingClientRect()
    const { zoom, x, y } = map.scale()
    view.centerOn({ x: (event.clientX - box.x - x) / zoom, y: (event.clientY - box.y - y) / zoom })
  }
  if (!isShown) return null
  return (
    <div
      aria-hidden
      onPointerDown={moveViewport}
      onPointerMove={moveViewport}
      className="canvas-map cursor-pointer touch-none overflow-hidden rounded-panel bg-float shadow-raised"
    >
      <canvas ref={element} style={{ width: WIDTH, height: HEIGHT }} className="block" />
    </div>
  )
}

const viewportBox = ({ transform: [x, y, zoom], width, height }: Viewport): Box => ({
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

/** Caches the painted blocks: most updates only move the viewport. */
function createMap() {
  const buffer = document.createElement('canvas')
  let cache: { nodes: readonly BlockNode[]; colors: ReturnType<typeof canvasColors>; bounds: Box } | undefined
  let scale: Scale = { zoom: 1, x: 0, y: 0 }
  let paintedKey = ''

  return {
    scale: () => scale,
    paint(element: HTMLCanvasElement, nodes: readonly BlockNode[], visible: Box) {
      const { context, ratio } = clearCanvas(element, WIDTH, HEIGHT)
      const colors = canvasColors(element)
      const isCached = cache?.nodes === nodes && cache.colors === colors
      if (!cache || !isCached) cache = { nodes, colors, bounds: boundingBox(nodes.map(boxOf)) }
      scale = scaleOf(boundingBox([cache.bounds, visible]))
      const { zoom, x, y } = scale
      const key = [zoom, x, y, ratio].join()
      if (!isCached || paintedKey !== key) paintBlocks(buffer, nodes, colors, scale)
      paintedKey = key
      context.drawImage(buffer, 0, 0)
      context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
      context.strokeStyle = colors.selected
      context.lineWidth = 1.5 / zoom
      context.strokeRect(visible.x, visible.y, visible.width, visible.height)
    },
  }
}

const boxOf = ({ position, width = 0, height = 0 }: BlockNode): Box => ({ ...position, width, height })

function scaleOf(bounds: Box): Scale {
  const zoom = Math.min((WIDTH - 2 * MARGIN) / bounds.width, (HEIGHT - 2 * MARGIN) / bounds.height)
  return {
    zoom,
    x: (WIDTH - bounds.width * zoom) / 2 - bounds.x * zoom,
    y: (HEIGHT - bounds.height * zoom) / 2 - bounds.y * zoom,
  }
}

function paintBlocks(
  buffer: HTMLCanvasElement,
  nodes: readonly BlockNode[],
  colors: ReturnType<typeof canvasColors>,
  { zoom, x, y }: Scale,
) {
  const { context, ratio } = clearCanvas(buffer, WIDTH, HEIGHT)
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
  const sizeMin = 1 / zoom
  for (const isGroup of [true, false]) {
    for (const { position, width = 0, height = 0, data, selected } of nodes) {
      if ((data.block.type === 'group') !== isGroup || data.block.type === 'drawing') continue
      const tone = colorTone(data.block.color)
      const plain = isGroup ? colors.group : colors.edge
      context.fillStyle = selected
        ? colors.selected
        : tone
          ? isGroup
            ? colors[`${tone}-tint`]
            : colors[tone]
          : plain
      context.fillRect(position.x, position.y, Math.max(width, sizeMin), Math.max(height, sizeMin))
    }
  }
}
