import { t } from '../../../../contract/text.ts'
import type { Items } from '../store/items.ts'
import { type Box, boundingBox, inReadingOrder } from './arrange.ts'
import { blockName } from './block-labels.ts'

interface Slide {
  /** The group's id, or `canvas` for the whole canvas. */
  id: string
  name: string
  box: Box
}

/** Outer groups in reading order, or everything if there are none. */
export function buildSlides(blocks: Items['blocks']): Slide[] {
  const groups = [...blocks.values()].filter(
    ({ type, parentId }) => type === 'group' && (parentId === null || !blocks.has(parentId)),
  )
  const slides = inReadingOrder(groups).map((group) => {
    const { id, x, y, width, height } = group
    return { id, name: blockName(group), box: { x, y, width, height } }
  })
  if (slides.length > 0 || blocks.size === 0) return slides
  return [{ id: 'canvas', name: t`Canvas`, box: boundingBox([...blocks.values()]) }]
}
