export const COLUMNS_MAX = 100
export const SHEETS_MAX = 20
const CELL_UNITS_MAX = 2000

export interface TableLimits {
  /** Per sheet. */
  rowsMax: number
  /** For all sheets. Each cell has a fixed cost, so empty cells count too. */
  unitsMax: number
  cellUnitsMax?: number
}

export const PREVIEW_TABLE: TableLimits = { rowsMax: 500, unitsMax: 2_000_000 }
/** A table of a project, with its header, and one row more. */
export const WHOLE_TABLE: TableLimits = { rowsMax: 100_002, unitsMax: 32_000_000, cellUnitsMax: 10_001 }
const CELL_COST_UNITS = 4

export function createTableBudget({ unitsMax, cellUnitsMax = CELL_UNITS_MAX }: TableLimits) {
  let unitsLeft = unitsMax
  let isTruncated = false
  return {
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
    const short = truncateUnits(cell, cellUnitsMax).toWellFormed()
    if (short.length < cell.length) isTruncated = true
    return short
  }
}

/** Cuts on a character boundary. */
export function truncateBytes(text: string, bytesMax: number): string {
  // A UTF-16 unit is at most three UTF-8 bytes, so most texts need no counting.
  if (text.length * 3 <= bytesMax) return text
  const bytes = Buffer.from(text.slice(0, bytesMax + 1))
  if (bytes.length <= bytesMax) return text
  let end = bytesMax
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** In UTF-16 code units. Cuts on a character boundary. */
function truncateUnits(text: string, unitsMax: number): string {
  return text.length <= unitsMax ? text : text.slice(0, unitsMax).replace(/[\uD800-\uDBFF]$/, '')
}
