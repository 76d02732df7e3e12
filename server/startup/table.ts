/** Control characters of names, which could change the display of a terminal. */
const CONTROL = /\p{Cc}/gu

/** Columns of the width of their longest cell. With `alignEnd`, all but the first are aligned at their end. */
export function tableOf(rows: string[][], { alignEnd = false } = {}): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll(CONTROL, ' ')))
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          alignEnd && column > 0 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
