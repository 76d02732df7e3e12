import { useStoreApi } from '@xyflow/react'
import { type PointerEvent, useEffect, useRef } from 'react'
import { shownTheme, useTheme } from '../../../state/theme.ts'
import { type Box, boundsOf } from '../acts/arrange.ts'
import { toneOf } from '../blocks/tones.ts'
import { useCanvas } from '../canvas-context.ts'

const WIDTH = 168
const HEIGHT = 112
const MARGIN = 8
/** What is painted in which token. */
const INKS = {
  chosen: '--accent-text',
  block: '--neutral-7',
  group: '--neutral-4',
  accent: '--accent-line',
  good: '--good-line',
  warning: '--warning-line',
  bad: '--bad-line',
  info: '--info-line',
}

/**
 * Everything at a glance, and the part of it that is in sight. Painted, not built of elements: thousands of blocks cost
 * one picture. To whoever does not see it, the outline in the navigator says the same.
 */
export function MiniMap() {
  const { board, view, desk } = useCanvas()
  const flow = useStoreApi()
  const paper = useRef<HTMLCanvasElement>(null)
  const scale = useRef({ zoom: 1, x: 0, y: 0 })
  const isEmpty = board.drawn.useOf(({ nodes }) => nodes.length === 0)
  const isShown = desk.map.use() && !isEmpty
  const theme = useTheme()

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is painted in other colours.
  useEffect(() => {
    if (!isShown) return
    let frame = 0
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        if (paper.current)
          scale.current = paint(paper.current, board.drawn.get().nodes, sightOf(flow.getState()))
      })
    }
    later()
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', later)
    const stops = [board.drawn.subscribe(later), flow.subscribe(later)]
    return () => {
      cancelAnimationFrame(frame)
      dark.removeEventListener('change', later)
      for (const stop of stops) stop()
    }
  }, [isShown, board, flow, theme])

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
      className="absolute right-16 bottom-16 z-10 cursor-pointer touch-none overflow-hidden rounded-panel border border-neutral-6 bg-neutral-1 max-md:hidden"
    >
      <canvas ref={paper} style={{ width: WIDTH, height: HEIGHT }} className="block" />
    </div>
  )
}

function sightOf({
  transform: [x, y, zoom],
  width,
  height,
}: {
  transform: [number, number, number]
  width: number
  height: number
}): Box {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
}

type Painted = {
  position: { x: number; y: number }
  width?: number
  height?: number
  selected?: boolean
  data: { block: { type: string; color: string | null } }
}

function paint(paper: HTMLCanvasElement, nodes: readonly Painted[], sight: Box) {
  const ratio = devicePixelRatio
  if (paper.width !== WIDTH * ratio) Object.assign(paper, { width: WIDTH * ratio, height: HEIGHT * ratio })
  const pen = paper.getContext('2d')!
  const ink = inksOf(paper)
  const boxes = nodes.map((node) => ({ ...node.position, width: node.width ?? 0, height: node.height ?? 0 }))
  const around = boundsOf([...boxes, sight])
  const zoom = Math.min((WIDTH - 2 * MARGIN) / around.width, (HEIGHT - 2 * MARGIN) / around.height)
  const x = (WIDTH - around.width * zoom) / 2 - around.x * zoom
  const y = (HEIGHT - around.height * zoom) / 2 - around.y * zoom
  pen.setTransform(1, 0, 0, 1, 0, 0)
  pen.clearRect(0, 0, paper.width, paper.height)
  pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
  const least = 1 / zoom
  for (const isGroup of [true, false]) {
    nodes.forEach((node, index) => {
      const { type, color: own } = node.data.block
      if ((type === 'group') !== isGroup) return
      const tone = toneOf(own)
      const plain = isGroup ? ink.group : ink.block
      pen.fillStyle = node.selected ? ink.chosen : tone ? ink[tone] : plain
      const box = boxes[index]!
      pen.fillRect(box.x, box.y, Math.max(box.width, least), Math.max(box.height, least))
    })
  }
  pen.strokeStyle = ink.chosen
  pen.lineWidth = 1.5 / zoom
  pen.strokeRect(sight.x, sight.y, sight.width, sight.height)
  return { zoom, x, y }
}

let known: { theme: string; inks: Record<keyof typeof INKS, string> } | undefined

/** The tokens as colours of the theme that is shown: a drawing knows no variables. */
function inksOf(paper: HTMLElement) {
  const theme = shownTheme()
  if (known?.theme === theme) return known.inks
  const read = (token: string) => {
    paper.style.color = `var(${token})`
    return getComputedStyle(paper).color
  }
  const inks = Object.fromEntries(Object.entries(INKS).map(([name, token]) => [name, read(token)]))
  known = { theme, inks: inks as Record<keyof typeof INKS, string> }
  return known.inks
}
