import { localStore } from '../../state/local-storage.ts'
import type { Box } from './actions/arrange.ts'

/** The center of the viewport instead of its corner: it stays the same in a window of another size. */
export interface Camera {
  x: number
  y: number
  zoom: number
}

/** The projects whose position is stored; the oldest are deleted. */
const CAMERAS_MAX = 100

/** The last position and zoom of each project, in this browser. */
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

/** Whether the camera shows one of the boxes: a view of empty space is not restored. */
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
