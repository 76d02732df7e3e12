type Align = 'left' | 'center' | 'right' | null

export interface Table {
  kind: 'table'
  header: string[]
  rows: string[][]
  aligns: Align[]
}

const COLUMNS_MAX = 40

/** A line with cells above a line of dashes, colons and bars. */
export const startsTable = (lines: readonly string[], at: number) =>
  lines[at]!.includes('|') && at + 1 < lines.length && isDelimiter(lines[at + 1]!)

export function readTable(lines: readonly string[], at: number): [Table, number] {
  const header = cellsOf(lines[at]!)
  const aligns = cellsOf(lines[at + 1]!).map(alignOf)
  let end = at + 2
  while (end < lines.length && lines[end]!.includes('|')) end++
  const rows = lines.slice(at + 2, end).map((line) => pad(cellsOf(line), header.length))
  return [{ kind: 'table', header, rows, aligns: header.map((_, column) => aligns[column] ?? null) }, end]
}

/** Character by character: a pattern for it takes quadratic time on hostile text. */
function isDelimiter(line: string): boolean {
  let dashes = 0
  let bars = 0
  for (const character of line) {
    if (character === '-') dashes++
    else if (character === '|') bars++
    else if (character !== ':' && character !== ' ') return false
  }
  return dashes > 0 && bars > 0
}

function cellsOf(line: string): string[] {
  const trimmed = line.trim()
  const from = trimmed.startsWith('|') ? 1 : 0
  const isClosed = trimmed.endsWith('|') && !trimmed.endsWith('\\|') && trimmed.length > from
  const cells: string[] = []
  let start = from
  for (let at = from; at < trimmed.length - (isClosed ? 1 : 0) && cells.length < COLUMNS_MAX; at++) {
    if (trimmed[at] !== '|' || trimmed[at - 1] === '\\') continue
    cells.push(trimmed.slice(start, at))
    start = at + 1
  }
  if (cells.length < COLUMNS_MAX) cells.push(trimmed.slice(start, isClosed ? -1 : undefined))
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function alignOf(cell: string): Align {
  const isRight = cell.endsWith(':')
  if (cell.startsWith(':')) return isRight ? 'center' : 'left'
  return isRight ? 'right' : null
}

const pad = (cells: string[], length: number) => Array.from({ length }, (_, index) => cells[index] ?? '')
