export type CsvCell = string | number | null | undefined

export const csvLine = (cells: readonly CsvCell[]) => `${cells.map(formatCell).join(',')}\r\n`

/** Spreadsheets evaluate text that begins like a formula, so it gets a leading apostrophe. */
function formatCell(value: CsvCell): string {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
