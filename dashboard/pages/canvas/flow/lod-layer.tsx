import { useStoreApi } from '@xyflow/react'
import { useEffect } from 'react'
import type { Box } from '../actions/arrange.ts'
import { nameOf } from '../blocks/block-labels.ts'
import { toneOf } from '../blocks/tones.ts'
import { useCanvas } from '../canvas-context.ts'
import { inksOf } from './canvas-colors.ts'
import { endsBetween } from './floating.ts'
import type { BlockNode, LineEdge } from './nodes.ts'
import { cleared, type Sight, usePainting } from './use-painting.ts'

/** On the screen, in pixels: a name needs so much room, and is so tall. */
const NAME_ROOM = 56
const NAME_SIZE = 10
const LETTER_WIDTH = 5.5

/** What is painted is chosen by a frame and let go of like elements, about which alone the library knows. */
export function useFarChoosing(isOn: boolean) {
  const canvas = useCanvas()
  const flow = useStoreApi()
  useEffect(() => {
    const { board, moving } = canvas
    if (!isOn) return
    moving.attach({
      stays: (id) => flow.getState().multiSelectionActive || flow.getState().nodeLookup.has(id),
      isFraming: () => flow.getState().userSelectionActive,
    })
    const stop = flow.subscribe(({ userSelectionActive, userSelectionRect: frame, transform }) => {
      if (!userSelectionActive || !frame) return
      const [x, y, zoom] = transform
      const box = {
        x: (frame.x - x) / zoom,
        y: (frame.y - y) / zoom,
        width: frame.width / zoom,
        height: frame.height / zoom,
      }
      const inside = board.drawn.get().nodes.filter((node) => overlaps(node, box))
      const { blocks } = board.selection.get()
      const isOther = inside.length !== blocks.size || inside.some(({ id }) => !blocks.has(id))
      if (isOther) board.select(inside.map(({ id }) => id))
    })
    return () => {
      stop()
      moving.attach({ stays: () => true, isFraming: () => false })
    }
  }, [isOn, canvas, flow])
}

const overlaps = ({ position, width = 0, height = 0 }: BlockNode, box: Box) =>
  position.x < box.x + box.width &&
  position.x + width > box.x &&
  position.y < box.y + box.height &&
  position.y + height > box.y

/** Thousands of blocks and lines seen from afar, painted in one picture under those that are elements. */
export function FarLayer({ isOn }: { isOn: boolean }) {
  const { board } = useCanvas()
  const paper = usePainting(isOn, (on, sight) => paint(on, sight, board.drawn.get()))
  if (!isOn) return null
  return <canvas ref={paper} aria-hidden className="pointer-events-none absolute inset-0 z-1 size-full" />
}

type Ink = ReturnType<typeof inksOf>

function paint(
  paper: HTMLCanvasElement,
  { transform: [x, y, zoom], width, height }: Sight,
  { nodes, lines }: { nodes: BlockNode[]; lines: LineEdge[] },
) {
  const { pen, ratio } = cleared(paper, width, height)
  const ink = inksOf(paper)
  pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
  const isSeen = ({ position, width: w = 0, height: h = 0 }: BlockNode) =>
    (position.x + w) * zoom + x > 0 &&
    position.x * zoom + x < width &&
    (position.y + h) * zoom + y > 0 &&
    position.y * zoom + y < height
  const seen = nodes.filter(isSeen).sort((one, other) => (one.zIndex ?? 0) - (other.zIndex ?? 0))
  const isGroup = ({ data }: BlockNode) => data.block.type === 'group'
  for (const node of seen) if (isGroup(node)) paintBlock(pen, ink, node, zoom)
  paintLines(pen, ink, nodes, lines, zoom)
  for (const node of seen) if (!isGroup(node)) paintBlock(pen, ink, node, zoom)
}

function paintBlock(pen: CanvasRenderingContext2D, ink: Ink, node: BlockNode, zoom: number) {
  const { position, width = 0, height = 0, selected, data } = node
  const tone = toneOf(data.block.color)
  const isGroup = data.block.type === 'group'
  pen.fillStyle = tone ? ink[`${tone}-wash`] : isGroup ? ink.group : ink.ground
  pen.strokeStyle = selected ? ink.chosen : tone ? ink[`${tone}-line`] : ink.edge
  pen.lineWidth = (selected ? 2 : 1) / zoom
  pen.fillRect(position.x, position.y, width, height)
  pen.strokeRect(position.x, position.y, width, height)
  const room = width * zoom
  if (room < NAME_ROOM) return
  pen.fillStyle = ink.words
  pen.font = `500 ${NAME_SIZE / zoom}px system-ui, sans-serif`
  const words = nameOf(data.block).slice(0, Math.floor((room - 8) / LETTER_WIDTH))
  pen.fillText(words, position.x + 4 / zoom, position.y + (NAME_SIZE + 4) / zoom)
}

function paintLines(
  pen: CanvasRenderingContext2D,
  ink: Ink,
  nodes: BlockNode[],
  lines: LineEdge[],
  zoom: number,
) {
  const boxes = new Map(
    nodes.map(({ id, position, width = 0, height = 0 }) => [id, { ...position, width, height }]),
  )
  pen.lineWidth = 1 / zoom
  for (const chosen of [false, true]) {
    pen.strokeStyle = chosen ? ink.chosen : ink.line
    pen.beginPath()
    for (const { source, target, selected } of lines) {
      const [from, to] = [boxes.get(source), boxes.get(target)]
      if (!from || !to || (selected === true) !== chosen) continue
      const [begin, end] = endsBetween(from, to)
      pen.moveTo(begin.x, begin.y)
      pen.lineTo(end.x, end.y)
    }
    pen.stroke()
  }
}
