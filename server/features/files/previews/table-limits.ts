import { truncateUnits } from './truncate.ts'

export const ROWS_MAX = 500
export const COLUMNS_MAX = 100
export const SHEETS_MAX = 20
const CELL_UNITS_MAX = 2000
/** Of all sheets together; a cell counts a little more than its text, so that empty ones are not free. */
const TABLE_UNITS_MAX = 2_000_000
const CELL_COST_UNITS = 4

/** Takes rows until there are enough, and knows whether anything was left out. */
export function createTableBudget() {
  let left = TABLE_UNITS_MAX
  let isCut = false
  return {
    /** The row as it is shown; null when no more rows are. */
    take(cells: string[]): string[] | null {
      const last = cells.findLastIndex((cell) => cell !== '')
      const row = cells.slice(0, Math.min(last + 1, COLUMNS_MAX)).map(shorten)
      left -= row.reduce((sum, cell) => sum + cell.length + CELL_COST_UNITS, CELL_COST_UNITS)
      if (left < 0) isCut = true
      return left < 0 ? null : row
    },
    markTruncated: () => {
      isCut = true
    },
    isTruncated: () => isCut,
  }

  function shorten(cell: string): string {
    const short = truncateUnits(cell, CELL_UNITS_MAX).toWellFormed()
    if (short.length < cell.length) isCut = true
    return short
  }
}
