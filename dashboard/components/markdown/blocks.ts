/** The size of a heading, or its depth in the outline, which never skips a level. */
type Level = 1 | 2 | 3

/** A block of Markdown; `parseInline` parses its text. */
export type Part =
  | { kind: 'heading'; level: Level; depth: Level; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'quote'; inside: Part[] }
  | { kind: 'code'; text: string; language: string | null }
  | { kind: 'rule' }
  | { kind: 'list'; ordered: boolean; start: number; items: ListItem[] }
  | Table

export interface ListItem {
  /** Null outside task lists. */
  done: boolean | null
  /** Its line in the source, from 0. */
  line: number
  text: string
  inside: Part[]
}

/** Each pattern matches the start of a line only: one that also describes the end takes quadratic time on hostile text. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?=\s)/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?=\s)/
const TASK = /^\[([ xX])\](?=\s)/
const LANGUAGE = /^ {0,3}([\w+#.-]{1,30})/
const DEPTH_MAX = 8

/** Parses a subset of Markdown: headings, lists, tasks, quotes, tables, code and rules. */
export function parseBlocks(text: string): Part[] {
  let above = 0
  return read(text.replace(/\r\n?/g, '\n').split('\n'), 0, 0).map((part) => {
    if (part.kind !== 'heading') return part
    above = Math.min(part.level, above + 1)
    return { ...part, depth: above as Level }
  })
}

/** `first` is the line of the source at which these lines begin. */
function read(lines: string[], depth: number, first: number): Part[] {
  const parts: Part[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (line.trim() === '') {
      at++
      continue
    }
    const [part, next] = readPart(lines, at, depth, first)
    parts.push(part)
    at = next
  }
  return parts
}

/** The block at a line, and the line after it. */
function readPart(lines: string[], at: number, depth: number, first: number): [Part, number] {
  const line = lines[at]!
  const fence = FENCE.exec(line)?.[1]
  if (fence) {
    const stop = endOf(lines, at, (other) => !other.trimStart().startsWith(fence))
    const language = LANGUAGE.exec(line.trimStart().slice(fence.length))?.[1] ?? null
    return [{ kind: 'code', text: lines.slice(at + 1, stop).join('\n'), language }, stop + 1]
  }
  const heading = HEADING.exec(line)
  if (heading) {
    const level = Math.min(heading[1]!.length, 3) as Level
    return [{ kind: 'heading', level, depth: 1, text: headingText(line.slice(heading[0].length)) }, at + 1]
  }
  if (isRule(line)) return [{ kind: 'rule' }, at + 1]
  if (depth < DEPTH_MAX && QUOTE.test(line)) {
    const end = endOf(lines, at, (other) => QUOTE.test(other))
    const inside = lines.slice(at, end).map((other) => other.replace(QUOTE, ''))
    return [{ kind: 'quote', inside: read(inside, depth + 1, first + at) }, end]
  }
  if (depth < DEPTH_MAX && ITEM.test(line)) return readList(lines, at, depth, first)
  if (startsTable(lines, at)) return readTable(lines, at)
  let end = at + 1
  while (
    end < lines.length &&
    lines[end]!.trim() !== '' &&
    !startsBlock(lines[end]!) &&
    !startsTable(lines, end)
  )
    end++
  return [{ kind: 'paragraph', text: lines.slice(at, end).join('\n') }, end]
}

function readList(lines: string[], at: number, depth: number, first: number): [Part, number] {
  const [, indent, marker] = ITEM.exec(lines[at]!)!
  const ordered = /\d/.test(marker!)
  const items: ListItem[] = []
  let here = at
  while (here < lines.length) {
    const match = ITEM.exec(lines[here]!)
    if (!match || match[1]!.length !== indent!.length || /\d/.test(match[2]!) !== ordered) break
    const isIndented = (line: string) => line.trim() !== '' && indentOf(line) > indent!.length
    const end = endOf(lines, here, isIndented)
    const text = lines[here]!.slice(match[0].length).trimStart()
    const task = TASK.exec(text)
    items.push({
      done: task ? task[1] !== ' ' : null,
      line: first + here,
      text: task ? text.slice(task[0].length).trimStart() : text,
      inside: read(dedent(lines.slice(here + 1, end)), depth + 1, first + here + 1),
    })
    here = end
  }
  return [{ kind: 'list', ordered, start: ordered ? Number.parseInt(marker!, 10) : 1, items }, here]
}

/** The first line after `at` that does not match. */
function endOf(lines: string[], at: number, matches: (line: string) => boolean): number {
  let end = at + 1
  while (end < lines.length && matches(lines[end]!)) end++
  return end
}

/** The text of a heading without the closing hashes. */
function headingText(afterHashes: string): string {
  const text = afterHashes.trim()
  let end = text.length
  while (text[end - 1] === '#') end--
  return text.slice(0, end).trimEnd()
}

/** Three or more of one mark, with nothing but spaces between. */
function isRule(line: string): boolean {
  const mark = line.trimStart()[0] ?? ''
  if (!'-*_'.includes(mark) || mark === '' || indentOf(line) > 3) return false
  let count = 0
  for (const character of line) {
    if (character === mark) count++
    else if (character.trim() !== '') return false
  }
  return count >= 3
}

const startsBlock = (line: string) =>
  [FENCE, HEADING, QUOTE, ITEM].some((pattern) => pattern.test(line)) || isRule(line)
const indentOf = (line: string) => /^ */.exec(line)![0].length

function dedent(lines: string[]): string[] {
  const smallest = lines.reduce((found, line) => Math.min(found, indentOf(line)), Number.POSITIVE_INFINITY)
  return lines.map((line) => line.slice(smallest))
}

type Align = 'left' | 'center' | 'right' | null

export interface Table {
  kind: 'table'
  header: string[]
  rows: string[][]
  aligns: Align[]
}

const COLUMNS_MAX = 40

/** A line with cells above a line of dashes, colons and bars. */
const startsTable = (lines: readonly string[], at: number) =>
  lines[at]!.includes('|') && at + 1 < lines.length && isDelimiter(lines[at + 1]!)

function readTable(lines: readonly string[], at: number): [Table, number] {
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
