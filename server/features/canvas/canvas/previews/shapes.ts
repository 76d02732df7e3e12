import type { z } from 'zod'
import { PREVIEW_FRAME, PREVIEW_SHAPES_MAX } from '../../../../../contract/projects/list-options.ts'
import type { PreviewShape } from '../../../../../contract/projects/previews.ts'
import type { BlockFields } from '../records.ts'

export type Shape = z.output<typeof PreviewShape>
export type Drawable = Pick<BlockFields, 'type' | 'x' | 'y' | 'width' | 'height' | 'color'> & {
  zIndex: number
}

const MARGIN = 12
/** Keeps a single note from becoming one large rectangle. */
const SCALE_MAX = 0.5

/** In painting order: groups below their contents. */
export function toPreviewShapes(blocks: readonly Drawable[]): Shape[] {
  const largest = blocks
    .toSorted((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, PREVIEW_SHAPES_MAX)
    .toSorted((a, b) => Number(b.type === 'group') - Number(a.type === 'group') || a.zIndex - b.zIndex)
  if (largest.length === 0) return []
  const left = Math.min(...largest.map(({ x }) => x))
  const top = Math.min(...largest.map(({ y }) => y))
  const width = Math.max(...largest.map((block) => block.x + block.width)) - left
  const height = Math.max(...largest.map((block) => block.y + block.height)) - top
  const area = { width: PREVIEW_FRAME.width - 2 * MARGIN, height: PREVIEW_FRAME.height - 2 * MARGIN }
  const scale = Math.min(area.width / width, area.height / height, SCALE_MAX)
  const [offsetX, offsetY] = [
    (PREVIEW_FRAME.width - width * scale) / 2 - left * scale,
    (PREVIEW_FRAME.height - height * scale) / 2 - top * scale,
  ]
  return largest.map(({ type, x, y, color, ...block }) => ({
    type,
    x: Math.round(offsetX + x * scale),
    y: Math.round(offsetY + y * scale),
    width: Math.max(2, Math.round(block.width * scale)),
    height: Math.max(2, Math.round(block.height * scale)),
    color,
  }))
}
