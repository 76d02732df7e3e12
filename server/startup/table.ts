/** In names, these could change the terminal's display. */
const CONTROL = /\p{Cc}/gu

/** With `alignEnd`, right-aligns all columns but the first. */
export function formatTable(rows: string[][], { alignEnd = false } = {}): string {
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
