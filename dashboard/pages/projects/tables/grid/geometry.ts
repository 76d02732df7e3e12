import type { TableColumn } from '../../../../api/tables.ts'

const COLUMN_WIDTH = 180
const OVERSCAN_PX = 240

interface Sizes {
  rowHeight: number
  /** Of the row numbers. */
  numberWidth: number
  /** Of the first column, which stays in view. */
  firstWidthMax: number
  /** Of the others. */
  widthMax: number
}

export const DESKTOP: Sizes = { rowHeight: 32, numberWidth: 56, firstWidthMax: 420, widthMax: 1000 }
/** Rows can be hit with a finger, and another column fits beside the first one. */
export const PHONE: Sizes = { rowHeight: 40, numberWidth: 40, firstWidthMax: 128, widthMax: 220 }

export interface Geometry extends Sizes {
  widths: readonly number[]
  /** From the left edge of the grid. */
  lefts: readonly number[]
  totalWidth: number
  /** Of what stays in view at the left. */
  frozenWidth: number
}

export function measure(
  columns: readonly TableColumn[],
  chosen: Readonly<Record<string, number>>,
  sizes: Sizes,
): Geometry {
  const widths = columns.map(({ id }, index) =>
    Math.min(chosen[id] ?? COLUMN_WIDTH, index === 0 ? sizes.firstWidthMax : sizes.widthMax),
  )
  let left = sizes.numberWidth
  const lefts = widths.map((width) => {
    left += width
    return left - width
  })
  return { ...sizes, widths, lefts, totalWidth: left, frozenWidth: sizes.numberWidth + (widths[0] ?? 0) }
}

/** Columns on screen beside the first one. */
export function columnsInView(
  { widths, lefts, frozenWidth }: Geometry,
  scrollLeft: number,
  width: number,
): readonly [number, number] {
  const from = scrollLeft + frozenWidth - OVERSCAN_PX
  const to = scrollLeft + width + OVERSCAN_PX
  let first = 1
  while (first < widths.length && lefts[first]! + widths[first]! < from) first++
  let last = first
  while (last < widths.length && lefts[last]! < to) last++
  return [first, last]
}

/** Where a dragged column would be inserted, by the pointer’s place in the scrolled grid. */
export function dropIndex({ widths, lefts, frozenWidth }: Geometry, x: number, scrollLeft: number): number {
  if (x < frozenWidth) return x < frozenWidth - widths[0]! / 2 ? 0 : 1
  const at = x + scrollLeft
  const index = lefts.findIndex((left, n) => at < left + widths[n]! / 2)
  return index === -1 ? widths.length : Math.max(1, index)
}
