import type { Box } from './use-target-box.ts'

const GAP = 16

interface Size {
  width: number
  height: number
}

/**
 * The position of the card: beside the element, on the first side with room, or in the lower corner. It never
 * covers the element if there is room elsewhere.
 */
export function cardPosition(target: Box | null, card: Size, screen: Size): { left: number; top: number } {
  const corner = { left: screen.width - card.width - GAP, top: screen.height - card.height - GAP }
  if (!target) return corner
  const clamp = (value: number, size: number, length: number) =>
    Math.min(Math.max(value, GAP), length - size - GAP)
  const top = clamp(target.top, card.height, screen.height)
  const left = clamp(target.left + target.width / 2 - card.width / 2, card.width, screen.width)
  const right = target.left + target.width + GAP
  if (right + card.width + GAP <= screen.width) return { left: right, top }
  if (target.left - GAP - card.width >= GAP) return { left: target.left - GAP - card.width, top }
  const below = target.top + target.height + GAP
  if (below + card.height + GAP <= screen.height) return { left, top: below }
  if (target.top - GAP - card.height >= GAP) return { left, top: target.top - GAP - card.height }
  return corner
}
