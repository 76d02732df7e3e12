import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import { useCanvas } from '../canvas-context.ts'
import type { BlockNode, LineEdge } from '../flow/nodes.ts'
import { isWorking } from '../model/agent-state.ts'
import type { Box } from '../model/arrange.ts'
import { blockName } from '../model/block-labels.ts'
import { endsBetween } from '../model/edge-path.ts'
import { drawingPath, readPoints, readShape, shapePath } from '../model/figures.ts'
import { colorTone } from '../model/tones.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import type { Block } from '../store/items.ts'
import { canvasColors, clearCanvas, usePainting, type Viewport } from './use-painting.ts'

/** In screen pixels. Narrower blocks don't show a name. */
const NAME_WIDTH_MIN = 56
const NAME_SIZE = 10
const LETTER_WIDTH = 5.5

/** React Flow only knows rendered nodes. */
export function useLodSelection(isOn: boolean) {
  const canvas = useCanvas()
  const flow = useStoreApi()
  useEffect(() => {
    const { viewModel, drag } = canvas
    if (!isOn) return
    drag.attach({
      staysSelected: (id) => flow.getState().multiSelectionActive || flow.getState().nodeLookup.has(id),
      isSelecting: () => flow.getState().userSelectionActive,
    })
    const stop = flow.subscribe(({ userSelectionActive, userSelectionRect: rect, transform }) => {
      if (!userSelectionActive || !rect) return
      const [x, y, zoom] = transform
      const box = {
        x: (rect.x - x) / zoom,
        y: (rect.y - y) / zoom,
        width: rect.width / zoom,
        height: rect.height / zoom,
      }
      const inside = viewModel.rendered.get().nodes.filter((node) => overlaps(node, box))
      const { blocks } = viewModel.selection.get()
      const isChanged = inside.length !== blocks.size || inside.some(({ id }) => !blocks.has(id))
      if (isChanged) viewModel.select(inside.map(({ id }) => id))
    })
    return () => {
      stop()
      drag.attach({ staysSelected: () => true, isSelecting: () => false })
    }
  }, [isOn, canvas, flow])
}

const overlaps = ({ position, width = 0, height = 0 }: BlockNode, box: Box) =>
  position.x < box.x + box.width &&
  position.x + width > box.x &&
  position.y < box.y + box.height &&
  position.y + height > box.y

/** One canvas element paints thousands of blocks below the rendered nodes. */
export function LodLayer({ isOn }: { isOn: boolean }) {
  const { viewModel } = useCanvas()
  const element = usePainting(isOn, (surface, viewport) => paint(surface, viewport, viewModel.rendered.get()))
  if (!isOn) return null
  return <canvas ref={element} aria-hidden className="pointer-events-none absolute inset-0 z-1 size-full" />
}

type Colors = ReturnType<typeof canvasColors>

function paint(
  element: HTMLCanvasElement,
  { transform: [x, y, zoom], width, height }: Viewport,
  { nodes, lines }: { nodes: BlockNode[]; lines: LineEdge[] },
) {
  const { context, ratio } = clearCanvas(element, width, height)
  const colors = canvasColors(element)
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
  const isVisible = ({ position, width: w = 0, height: h = 0 }: BlockNode) =>
    (position.x + w) * zoom + x > 0 &&
    position.x * zoom + x < width &&
    (position.y + h) * zoom + y > 0 &&
    position.y * zoom + y < height
  const visible = nodes.filter(isVisible).sort((one, other) => (one.zIndex ?? 0) - (other.zIndex ?? 0))
  const isGroup = ({ data }: BlockNode) => data.block.type === 'group'
  for (const node of visible) if (isGroup(node)) paintBlock(context, colors, node, zoom)
  paintLines(context, colors, nodes, lines, zoom)
  for (const node of visible) if (!isGroup(node)) paintBlock(context, colors, node, zoom)
}

function paintBlock(context: CanvasRenderingContext2D, colors: Colors, node: BlockNode, zoom: number) {
  const { position, width = 0, height = 0, selected, data } = node
  const tone = colorTone(data.block.color)
  const isGroup = data.block.type === 'group'
  const isHighlighted = selected || isWorking(data.block)
  context.fillStyle = isGroup ? colors.group : tone ? colors[`${tone}-tint`] : colors.surface
  context.strokeStyle = selected ? colors.selected : isHighlighted ? colors.working : colors.edge
  if (isGroup && tone && !selected) context.strokeStyle = colors[tone]
  context.lineWidth = (isHighlighted ? 2 : 1) / zoom
  const figure = figurePath(data.block, position, width, height)
  if (figure) {
    if (data.block.type === 'shape') context.fill(figure)
    context.stroke(figure)
    return
  }
  context.fillRect(position.x, position.y, width, height)
  context.strokeRect(position.x, position.y, width, height)
  const screenWidth = width * zoom
  if (screenWidth < NAME_WIDTH_MIN) return
  context.fillStyle = colors.text
  context.font = `500 ${NAME_SIZE / zoom}px system-ui, sans-serif`
  const name = blockName(data.block).slice(0, Math.floor((screenWidth - 8) / LETTER_WIDTH))
  context.fillText(name, position.x + 4 / zoom, position.y + (NAME_SIZE + 4) / zoom)
}

function figurePath(block: Block, { x, y }: { x: number; y: number }, width: number, height: number) {
  if (block.type !== 'shape' && block.type !== 'drawing') return undefined
  const path =
    block.type === 'shape'
      ? shapePath(readShape(block), width, height)
      : drawingPath(readPoints({ ...block, width, height }))
  const placed = new Path2D()
  placed.addPath(new Path2D(path), { e: x, f: y })
  return placed
}

function paintLines(
  context: CanvasRenderingContext2D,
  colors: Colors,
  nodes: BlockNode[],
  lines: LineEdge[],
  zoom: number,
) {
  const boxes = new Map(
    nodes.map(({ id, position, width = 0, height = 0 }) => [id, { ...position, width, height }]),
  )
  context.lineWidth = 1 / zoom
  const byColor = Map.groupBy(lines, ({ selected, data }) =>
    selected ? colors.selected : lineColor(colors, data?.edge.style.color),
  )
  for (const [color, sameColor] of byColor) {
    context.strokeStyle = color
    context.beginPath()
    for (const { source, target } of sameColor) {
      const [from, to] = [boxes.get(source), boxes.get(target)]
      if (!from || !to) continue
      const [begin, end] = endsBetween(from, to)
      context.moveTo(begin.x, begin.y)
      context.lineTo(end.x, end.y)
    }
    context.stroke()
  }
}

function lineColor(colors: Colors, color: string | undefined): string {
  const tone = colorTone(color ?? null)
  if (tone) return colors[tone]
  return color?.startsWith('#') ? color : colors.line
}

/** Below these zoom levels the content, then the name, is unreadable. */
export const FAR_ZOOM = 0.3
export const DOTS_ZOOM = 0.12
/** Above this, zoomed-out blocks are painted: DOM nodes would move slowly. */
const NODES_MAX = 400
/** Up to this many selected blocks stay nodes: a selection needs focus, handles and names. */
const SELECTED_MAX = 100

/** If true, only hovered, edited and selected blocks are nodes. */
export const isPainted = ({ view, store }: OpenCanvas, zoom = view.zoom()) =>
  zoom < FAR_ZOOM && store.items.blocks.size > NODES_MAX

export function nodesToRender(canvas: OpenCanvas, nodes: BlockNode[], hovered: string | null): BlockNode[] {
  const { blocks } = canvas.viewModel.selection.get()
  const selected = blocks.size <= SELECTED_MAX ? blocks : new Set<string>()
  const editing = canvas.ui.editing.get()?.id
  return nodes.filter(({ id }) => id === hovered || id === editing || selected.has(id))
}

export function blockAt({ viewModel }: OpenCanvas, { x, y }: { x: number; y: number }): string | null {
  let topmost: BlockNode | undefined
  for (const node of viewModel.rendered.get().nodes) {
    const { position, width = 0, height = 0, zIndex = 0 } = node
    const isInside = x >= position.x && x <= position.x + width && y >= position.y && y <= position.y + height
    if (isInside && (!topmost || zIndex >= (topmost.zIndex ?? 0))) topmost = node
  }
  return topmost?.id ?? null
}
