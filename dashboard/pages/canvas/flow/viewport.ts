import { getViewportForBounds, type ReactFlowInstance } from '@xyflow/react'
import { localStore } from '../../../state/store.ts'
import { type Box, boundingBox } from '../model/arrange.ts'
import type { BlockNode, LineEdge } from './nodes.ts'

export type Flow = ReactFlowInstance<BlockNode, LineEdge>

export const ZOOM_MIN = 0.05
export const ZOOM_MAX = 4
/** Space for the floating toolbars. */
const PADDING = { top: '64px', bottom: '96px', left: '48px', right: '48px' } as const
const PRESENT_PADDING = { top: '24px', bottom: '72px', left: '24px', right: '24px' } as const
const MOTION_MS = 180
const FLY_ZOOM_MAX = 1.25
const FIT_ZOOM_MAX = 1.5

/** A panel covers part of the canvas only where it lies on top, as on tablets. */
function coveredWidth(canvasWidth: number): number {
  const panel = document.querySelector<HTMLElement>('[data-panel]')
  if (!panel || getComputedStyle(panel).position !== 'absolute') return 0
  return panel.offsetWidth < canvasWidth ? panel.offsetWidth : 0
}

/** Delegates to React Flow once mounted. `onOwnMove` runs when the user moves the view, not when it follows somebody. */
export function createViewport({ onOwnMove }: { onOwnMove: () => void }) {
  let flow: Flow | undefined
  let element: HTMLElement | undefined
  const duration = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOTION_MS)

  const center = () => {
    const box = element?.getBoundingClientRect()
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: 0, y: 0 }
  }

  const viewportFor = (boxes: readonly Box[], zoomMax: number) => {
    const rect = element?.getBoundingClientRect()
    if (boxes.length === 0 || !rect) return undefined
    return getViewportForBounds(boundingBox(boxes), rect.width, rect.height, ZOOM_MIN, zoomMax, PADDING)
  }

  function visible(): { box: Box; zoom: number } {
    const { x, y, zoom } = flow?.getViewport() ?? { x: 0, y: 0, zoom: 1 }
    const { width, height } = element?.getBoundingClientRect() ?? { width: 0, height: 0 }
    return { box: { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }, zoom }
  }

  return {
    attach(next: Flow) {
      flow = next
    },
    /** Has the focus when no block has it. */
    setElement: (next: HTMLElement | null) => {
      element = next ?? undefined
    },
    element: () => element,
    at: (point: { x: number; y: number }) => flow?.screenToFlowPosition(point) ?? point,
    center: () => flow?.screenToFlowPosition(center()) ?? { x: 0, y: 0 },
    zoom: () => flow?.getZoom() ?? 1,
    visible,
    zoomIn: () => flow?.zoomIn({ duration: duration() }),
    zoomOut: () => flow?.zoomOut({ duration: duration() }),
    zoomTo: (zoom: number) => flow?.zoomTo(zoom, { duration: duration() }),
    /** Keeps the point in the middle half, so a moving cursor doesn't move everything with each step. */
    follow({ x, y }: { x: number; y: number }) {
      const { box, zoom } = visible()
      const isCentral =
        Math.abs(x - box.x - box.width / 2) < box.width / 4 &&
        Math.abs(y - box.y - box.height / 2) < box.height / 4
      if (!isCentral) void flow?.setCenter(x, y, { zoom, duration: duration() })
    },
    panBy(dx: number, dy: number) {
      onOwnMove()
      const current = flow?.getViewport()
      if (!current) return
      void flow?.setViewport({ ...current, x: current.x + dx, y: current.y + dy }, { duration: duration() })
    },
    fit(boxes: readonly Box[]) {
      onOwnMove()
      const target = viewportFor(boxes, FIT_ZOOM_MAX)
      if (target) void flow?.setViewport(target, { duration: duration() })
    },
    present(box: Box) {
      const rect = element?.getBoundingClientRect()
      if (!rect) return
      const target = getViewportForBounds(box, rect.width, rect.height, ZOOM_MIN, ZOOM_MAX, PRESENT_PADDING)
      void flow?.setViewport(target, { duration: duration() })
    },
    /** Where the user left it, else all blocks at up to 100%. */
    initial(boxes: readonly Box[], camera: Camera | undefined) {
      const rect = element?.getBoundingClientRect()
      if (camera && rect && showsAny(camera, rect, boxes)) {
        const { x, y, zoom } = camera
        return { x: rect.width / 2 - x * zoom, y: rect.height / 2 - y * zoom, zoom }
      }
      return viewportFor(boxes, 1) ?? { x: 0, y: 0, zoom: 1 }
    },
    rememberViewport() {
      const before = flow?.getViewport()
      return () => {
        if (before) void flow?.setViewport(before)
      }
    },
    camera(): Camera {
      const { box, zoom } = visible()
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, zoom }
    },
    /** Moves as little as possible, and keeps clear of a panel on the canvas. */
    reveal(box: Box) {
      onOwnMove()
      const rect = element?.getBoundingClientRect()
      if (!flow || !rect) return
      const { x, y, zoom } = flow.getViewport()
      const shift = (at: number, length: number, available: number) => {
        const margin = Math.min(48, available / 8)
        if (length > available - 2 * margin) return margin - at
        return Math.max(margin - at, 0) + Math.min(available - margin - (at + length), 0)
      }
      const dx = shift(box.x * zoom + x, box.width * zoom, rect.width - coveredWidth(rect.width))
      const dy = shift(box.y * zoom + y, box.height * zoom, rect.height)
      if (dx || dy) void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: duration() })
    },
    centerOn({ x, y }: { x: number; y: number }) {
      onOwnMove()
      void flow?.setCenter(x, y, { zoom: flow.getZoom(), duration: 0 })
    },
    flyTo(box: Box) {
      onOwnMove()
      const zoom = Math.min(Math.max(flow?.getZoom() ?? 1, 0.6), FLY_ZOOM_MAX)
      void flow?.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, duration: duration() })
    },
  }
}

/** The viewport's center instead of its corner, so it survives a different window size. */
interface Camera {
  x: number
  y: number
  zoom: number
}

/** Projects with a stored position; the oldest are deleted. */
const CAMERAS_MAX = 100

export function createCameras(userId: string | null) {
  const key = `atrium.canvas.cameras.${userId ?? 'guest'}`
  const read = (): [string, Camera][] => {
    try {
      const stored: unknown = JSON.parse(localStore.read(key) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isEntry) : []
    } catch {
      return []
    }
  }
  return {
    find: (projectId: string): Camera | undefined => read().find(([id]) => id === projectId)?.[1],
    save(projectId: string, { x, y, zoom }: Camera) {
      const others = read().filter(([id]) => id !== projectId)
      const entry = [projectId, { x: Math.round(x), y: Math.round(y), zoom: Math.round(zoom * 1000) / 1000 }]
      localStore.write(key, JSON.stringify([...others, entry].slice(-CAMERAS_MAX)))
    },
  }
}

const isEntry = (entry: unknown): entry is [string, Camera] =>
  Array.isArray(entry) &&
  typeof entry[0] === 'string' &&
  [entry[1]?.x, entry[1]?.y, entry[1]?.zoom].every(Number.isFinite) &&
  entry[1].zoom > 0

/** A view of empty space isn't restored. */
export function showsAny(
  { x, y, zoom }: Camera,
  size: { width: number; height: number },
  boxes: Iterable<Box>,
) {
  const [width, height] = [size.width / zoom, size.height / zoom]
  const [left, top] = [x - width / 2, y - height / 2]
  for (const box of boxes)
    if (box.x < left + width && box.x + box.width > left && box.y < top + height && box.y + box.height > top)
      return true
  return false
}
