import type { Block, BlockPatch } from '../store/items.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export const SIDES = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const
export type Side = (typeof SIDES)[number]

/** The smallest box around all of them. */
export function boundsOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

/** Puts them on one line: an edge or the middle of the box around them. */
export function aligned(blocks: readonly Block[], side: Side): BlockPatch[] {
  const around = boundsOf(blocks)
  const place = {
    left: () => ({ x: around.x }),
    center: ({ width }: Box) => ({ x: around.x + (around.width - width) / 2 }),
    right: ({ width }: Box) => ({ x: around.x + around.width - width }),
    top: () => ({ y: around.y }),
    middle: ({ height }: Box) => ({ y: around.y + (around.height - height) / 2 }),
    bottom: ({ height }: Box) => ({ y: around.y + around.height - height }),
  }[side]
  return moved(blocks, place)
}

/** Makes the gaps between them equal; the outer two stay. */
export function distributed(blocks: readonly Block[], axis: 'x' | 'y'): BlockPatch[] {
  const length = axis === 'x' ? 'width' : 'height'
  const inOrder = blocks.toSorted(
    (one, other) => one[axis] + one[length] / 2 - (other[axis] + other[length] / 2),
  )
  const around = boundsOf(blocks)
  const filled = inOrder.reduce((sum, block) => sum + block[length], 0)
  const gap = (around[length] - filled) / (inOrder.length - 1)
  const places = new Map<string, number>()
  let at = around[axis]
  for (const block of inOrder) {
    places.set(block.id, at)
    at += block[length] + gap
  }
  return moved(inOrder, ({ id }) => ({ [axis]: places.get(id) }))
}

export const nudged = (blocks: readonly Block[], dx: number, dy: number): BlockPatch[] =>
  moved(blocks, ({ x, y }) => ({ x: x + dx, y: y + dy }))

function moved(blocks: readonly Block[], place: (block: Block) => Partial<Pick<Box, 'x' | 'y'>>) {
  return blocks.map((block) => {
    const { id, x, y } = { ...block, ...place(block) }
    return { id, x: Math.round(x), y: Math.round(y) }
  })
}

/** Before or behind all others; among themselves they stay as they are. */
export function stacked(
  chosen: readonly Block[],
  all: Iterable<Block>,
  where: 'front' | 'back',
): BlockPatch[] {
  const ids = new Set(chosen.map(({ id }) => id))
  const others = [...all].filter(({ id }) => !ids.has(id)).map(({ zIndex }) => zIndex)
  const inOrder = chosen.toSorted((one, other) => one.zIndex - other.zIndex)
  const first = where === 'front' ? Math.max(-1, ...others) + 1 : Math.min(1, ...others) - inOrder.length
  return inOrder.map(({ id }, index) => ({ id, zIndex: first + index }))
}

/** As one reads: row by row, from left to right. What begins within half a block's height is of one row. */
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
