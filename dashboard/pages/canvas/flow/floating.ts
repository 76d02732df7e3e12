import { Position } from '@xyflow/react'
import type { Box } from '../actions/arrange.ts'

interface End {
  x: number
  y: number
  position: Position
}

/** The end points of a line: the centers of the sides that face each other. */
export function endsBetween(from: Box, to: Box): [End, End] {
  const dx = to.x + to.width / 2 - (from.x + from.width / 2)
  const dy = to.y + to.height / 2 - (from.y + from.height / 2)
  // Compares the gaps, not the distances of the centers: a wide box above another is above it.
  const gapX = Math.abs(dx) - (from.width + to.width) / 2
  const gapY = Math.abs(dy) - (from.height + to.height) / 2
  if (gapX >= gapY) {
    return dx >= 0
      ? [sideOf(from, Position.Right), sideOf(to, Position.Left)]
      : [sideOf(from, Position.Left), sideOf(to, Position.Right)]
  }
  return dy >= 0
    ? [sideOf(from, Position.Bottom), sideOf(to, Position.Top)]
    : [sideOf(from, Position.Top), sideOf(to, Position.Bottom)]
}

function sideOf({ x, y, width, height }: Box, position: Position): End {
  switch (position) {
    case Position.Left:
      return { x, y: y + height / 2, position }
    case Position.Right:
      return { x: x + width, y: y + height / 2, position }
    case Position.Top:
      return { x: x + width / 2, y, position }
    case Position.Bottom:
      return { x: x + width / 2, y: y + height, position }
  }
}
