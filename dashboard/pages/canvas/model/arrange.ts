import { ORDER_MAX } from '../../../../contract/canvas/block-fields.ts'
import type { Block, BlockPatch, NewBlock } from '../store/items.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Distance to the blocks above. */
const FREE_GAP = 24

export const SIDES = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const
export type Side = (typeof SIDES)[number]

export function boundingBox(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

export function align(blocks: readonly Block[], side: Side): BlockPatch[] {
  const bounds = boundingBox(blocks)
  const target = {
    left: () => ({ x: bounds.x }),
    center: ({ width }: Box) => ({ x: bounds.x + (bounds.width - width) / 2 }),
    right: ({ width }: Box) => ({ x: bounds.x + bounds.width - width }),
    top: () => ({ y: bounds.y }),
    middle: ({ height }: Box) => ({ y: bounds.y + (bounds.height - height) / 2 }),
    bottom: ({ height }: Box) => ({ y: bounds.y + bounds.height - height }),
  }[side]
  return reposition(blocks, target)
}

/** The outer two blocks stay. */
export function distribute(blocks: readonly Block[], axis: 'x' | 'y'): BlockPatch[] {
  const length = axis === 'x' ? 'width' : 'height'
  const inOrder = blocks.toSorted(
    (one, other) => one[axis] + one[length] / 2 - (other[axis] + other[length] / 2),
  )
  const bounds = boundingBox(blocks)
  const totalLength = inOrder.reduce((sum, block) => sum + block[length], 0)
  const gap = (bounds[length] - totalLength) / (inOrder.length - 1)
  const positions = new Map<string, number>()
  let at = bounds[axis]
  for (const block of inOrder) {
    positions.set(block.id, at)
    at += block[length] + gap
  }
  return reposition(inOrder, ({ id }) => ({ [axis]: positions.get(id) }))
}

export const moveBy = (blocks: readonly Block[], dx: number, dy: number): BlockPatch[] =>
  reposition(blocks, ({ x, y }) => ({ x: x + dx, y: y + dy }))

function reposition(blocks: readonly Block[], target: (block: Block) => Partial<Pick<Box, 'x' | 'y'>>) {
  return blocks.map((block) => {
    const { id, x, y } = { ...block, ...target(block) }
    return { id, x: Math.round(x), y: Math.round(y) }
  })
}

/** Keeps their relative order. */
export function restack(
  selected: readonly Block[],
  all: Iterable<Block>,
  where: 'front' | 'back',
): BlockPatch[] {
  const ids = new Set(selected.map(({ id }) => id))
  const others = [...all].filter(({ id }) => !ids.has(id)).map(({ zIndex }) => zIndex)
  const inOrder = selected.toSorted((one, other) => one.zIndex - other.zIndex)
  const first = where === 'front' ? Math.max(-1, ...others) + 1 : Math.min(1, ...others) - inOrder.length
  return inOrder.map(({ id }, index) => ({ id, zIndex: first + index }))
}

/** In their own order. */
export function bringToFront(created: readonly NewBlock[], all: Iterable<Block>): NewBlock[] {
  let top = 0
  for (const { zIndex } of all) top = Math.max(top, zIndex)
  const inOrder = created.toSorted((one, other) => one.zIndex - other.zIndex)
  const orders = new Map(inOrder.map(({ id }, index) => [id, Math.min(top + 1 + index, ORDER_MAX)]))
  return created.map((block) => ({ ...block, zIndex: orders.get(block.id)! }))
}

/** Moves down until it covers no other block; a group may contain it. */
export function moveToFreePosition(block: NewBlock, all: Iterable<Block>): NewBlock {
  const others = [...all].filter(({ type }) => type !== 'group')
  let free = block
  for (;;) {
    const covered = others.filter((other) => overlaps(free, other))
    if (covered.length === 0) return free
    free = { ...free, y: Math.max(...covered.map(({ y, height }) => y + height)) + FREE_GAP }
  }
}

export const overlaps = (one: Box, other: Box) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/** Whole pixels, as the server stores them; at least one in each direction. */
export const roundBox = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.max(1, Math.round(width)),
  height: Math.max(1, Math.round(height)),
})

/** Row by row, left to right. Blocks with tops less than half a block's height apart form one row. */
export function inReadingOrder<B extends Box>(blocks: Iterable<B>): B[] {
  const byTop = [...blocks].sort((one, other) => one.y - other.y || one.x - other.x)
  const rows: B[][] = []
  for (const block of byTop) {
    const row = rows.at(-1)
    if (row?.[0] && block.y < row[0].y + Math.min(row[0].height, 200) / 2) row.push(block)
    else rows.push([block])
  }
  return rows.flatMap((row) => row.sort((one, other) => one.x - other.x))
}
