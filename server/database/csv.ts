/** A decimal is written as it is: `-12.50` is no formula. */
export type CsvCell = string | number | { decimal: string } | null | undefined

export const csvLine = (cells: readonly CsvCell[]) => `${cells.map(formatCell).join(',')}\r\n`

/** Spreadsheets evaluate text that begins like a formula, so it gets a leading apostrophe. */
function formatCell(value: CsvCell): string {
  if (typeof value === 'object' && value !== null) return value.decimal
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
