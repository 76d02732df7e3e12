import { useStore, ViewportPortal } from '@xyflow/react'
import { useEffect } from 'react'
import { useCanvas } from '../canvas-context.ts'
import type { Gap, Guide } from '../flow/guides.ts'
import { LINES_Z } from '../flow/nodes.ts'
import type { OpenCanvas } from '../open-canvas.ts'

/** Above every block, below other users' cursors. */
const TOP = { zIndex: 2 * LINES_Z + 1 }
/** End marks of a gap, in screen pixels. */
const TICK = 4

/** Hidden from screen readers. */
export function GuideLayer() {
  const { snapping, drag } = useCanvas()
  const { guides, gaps } = snapping.shown.use()
  const originals = drag.originals.use()
  const zoom = useStore(({ transform }) => transform[2])
  if (guides.length + gaps.length + originals.length === 0) return null
  return (
    <ViewportPortal>
      <svg
        aria-hidden
        data-guides
        className="pointer-events-none absolute size-px overflow-visible"
        style={TOP}
      >
        {originals.map(({ x, y, width, height }) => (
          <rect
            key={`${x} ${y} ${width} ${height}`}
            {...{ x, y, width, height }}
            rx={10}
            className="fill-none stroke-neutral-9"
            strokeWidth={1.5 / zoom}
            strokeDasharray={`${5 / zoom} ${4 / zoom}`}
          />
        ))}
        <g className="fill-none stroke-bad-text" strokeWidth={1 / zoom}>
          {guides.map((guide) => (
            <path key={`${guide.axis} ${guide.at}`} d={guidePath(guide)} />
          ))}
          {gaps.map((gap) => (
            <path key={`${gap.axis} ${gap.from} ${gap.at}`} d={gapPath(gap, TICK / zoom)} />
          ))}
        </g>
      </svg>
    </ViewportPortal>
  )
}

const guidePath = ({ axis, at, from, to }: Guide) =>
  axis === 'x' ? `M${at} ${from}V${to}` : `M${from} ${at}H${to}`

const gapPath = ({ axis, at, from, to }: Gap, tick: number) =>
  axis === 'x'
    ? `M${from} ${at}H${to}M${from} ${at - tick}v${2 * tick}M${to} ${at - tick}v${2 * tick}`
    : `M${at} ${from}V${to}M${at - tick} ${from}h${2 * tick}M${at - tick} ${to}h${2 * tick}`

/** Ctrl or ⌘ disables snapping and Alt copies, even if pressed mid-drag. */
export function useDragModifiers({ drag }: OpenCanvas) {
  useEffect(() => {
    const controller = new AbortController()
    const options = { signal: controller.signal, capture: true }
    const updateModifiers = (event: KeyboardEvent | PointerEvent) => {
      // Alt alone would open the browser's menu.
      if (event instanceof KeyboardEvent && event.key === 'Alt' && drag.isActive()) event.preventDefault()
      drag.setModifiers({ isFree: event.ctrlKey || event.metaKey, isCopy: event.altKey })
    }
    for (const name of ['pointermove', 'keydown', 'keyup'] as const)
      window.addEventListener(name, updateModifiers, options)
    return () => controller.abort()
  }, [drag])
}
