/** As spreadsheets copy: quotes around cells with tabs, line breaks or quotes. */
export const toTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(quote).join('\t')).join('\n')

const quote = (cell: string) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

export function parseTsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const source = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  while (at <= source.length) {
    let cell: string
    if (source[at] === '"') {
      const end = endOfQuoted(source, at + 1)
      cell = source.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    } else {
      const end = nextSeparator(source, at)
      cell = source.slice(at, end)
      at = end
    }
    row.push(cell)
    if (source[at] !== '\t') {
      rows.push(row)
      row = []
    }
    at++
  }
  return rows
}

function endOfQuoted(text: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = text.indexOf('"', at)
    if (at === -1) return text.length
    if (text[at + 1] !== '"') return at
  }
}

function nextSeparator(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '\t' || text[at] === '\n') return at
  return text.length
}
