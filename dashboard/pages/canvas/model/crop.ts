import type { Block } from '../store/items.ts'

/** As fractions of the image. Cropping doesn't change the file. */
export interface Crop {
  x: number
  y: number
  width: number
  height: number
}

export const WHOLE: Crop = { x: 0, y: 0, width: 1, height: 1 }
/** As a fraction of the image. */
export const SIDE_MIN = 0.02
const PRECISION = 10_000

/** The whole image if the metadata has no valid crop. */
export function readCrop({ metadata }: Pick<Block, 'metadata'>): Crop {
  const { x, y, width, height } = (metadata.crop ?? {}) as Partial<Crop>
  const isValid = [x, y, width, height].every((part) => typeof part === 'number' && part >= 0 && part <= 1)
  if (!isValid || width! < SIDE_MIN || height! < SIDE_MIN || x! + width! > 1.001 || y! + height! > 1.001)
    return WHOLE
  return { x: x!, y: y!, width: width!, height: height! }
}

export const isWhole = ({ x, y, width, height }: Crop) => x === 0 && y === 0 && width === 1 && height === 1

export type Handle = 'move' | 'nw' | 'ne' | 'sw' | 'se'

/** Stays inside the image. The distances are fractions of it. */
export function dragCrop(crop: Crop, handle: Handle, dx: number, dy: number): Crop {
  const [right, bottom] = [crop.x + crop.width, crop.y + crop.height]
  if (handle === 'move') {
    const x = clamp(crop.x + dx, 0, 1 - crop.width)
    const y = clamp(crop.y + dy, 0, 1 - crop.height)
    return roundCrop({ ...crop, x, y })
  }
  const left = handle.endsWith('w') ? clamp(crop.x + dx, 0, right - SIDE_MIN) : crop.x
  const top = handle.startsWith('n') ? clamp(crop.y + dy, 0, bottom - SIDE_MIN) : crop.y
  const end = handle.endsWith('e') ? clamp(right + dx, crop.x + SIDE_MIN, 1) : right
  const base = handle.startsWith('s') ? clamp(bottom + dy, crop.y + SIDE_MIN, 1) : bottom
  return roundCrop({ x: left, y: top, width: end - left, height: base - top })
}

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value))
const round = (value: number) => Math.round(value * PRECISION) / PRECISION
const roundCrop = ({ x, y, width, height }: Crop): Crop => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
})
