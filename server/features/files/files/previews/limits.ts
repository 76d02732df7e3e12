export const ROWS_MAX = 500
export const COLUMNS_MAX = 100
export const SHEETS_MAX = 20
const CELL_UNITS_MAX = 2000
/** The limit of all sheets together. Each cell has a fixed cost, so that empty cells count too. */
const TABLE_UNITS_MAX = 2_000_000
const CELL_COST_UNITS = 4

/** Accepts rows up to the limits, and records whether anything was truncated. */
export function createTableBudget() {
  let unitsLeft = TABLE_UNITS_MAX
  let isTruncated = false
  return {
    /** The truncated row; null when the budget is exhausted. */
    take(cells: string[]): string[] | null {
      const last = cells.findLastIndex((cell) => cell !== '')
      const row = cells.slice(0, Math.min(last + 1, COLUMNS_MAX)).map(shorten)
      unitsLeft -= row.reduce((sum, cell) => sum + cell.length + CELL_COST_UNITS, CELL_COST_UNITS)
      if (unitsLeft < 0) isTruncated = true
      return unitsLeft < 0 ? null : row
    },
    markTruncated: () => {
      isTruncated = true
    },
    isTruncated: () => isTruncated,
  }

  function shorten(cell: string): string {
    const short = truncateUnits(cell, CELL_UNITS_MAX).toWellFormed()
    if (short.length < cell.length) isTruncated = true
    return short
  }
}

/** Truncates to a number of UTF-8 bytes on a character boundary. */
export function truncateBytes(text: string, bytesMax: number): string {
  // A UTF-16 code unit is at most three bytes of UTF-8, so most texts need no counting.
  if (text.length * 3 <= bytesMax) return text
  const bytes = Buffer.from(text.slice(0, bytesMax + 1))
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** Truncates to a number of UTF-16 code units on a character boundary. */
function truncateUnits(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, unitsMax).replace(/[\uD800-\uDBFF]$/, '')
}
