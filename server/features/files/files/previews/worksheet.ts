import { ROWS_MAX } from './table-limits.ts'

const TOTAL_ROWS_MAX = 1_048_576
const TOTAL_COLUMNS_MAX = 16_384

/**
 * Truncates a worksheet of an xlsx file to the shown rows, and writes its actual dimensions. The library would parse all
 * rows, and trust the dimensions in the file.
 */
export function shortenWorksheet(content: Buffer): Buffer {
  const xml = content.toString('latin1')
  const end = xml.search(/<\/(?:\w+:)?sheetData\s*>/)
  if (end === -1) return content
  let rows = 0
  let columns = 0
  let rowTags = 0
  let cutAt = end
  let nextRow = 1
  let nextColumn = 1
  TAG.lastIndex = 0
  for (let tag = TAG.exec(xml); tag && tag.index < end; tag = TAG.exec(xml)) {
    const [, row, attributes = ''] = tag
    const reference = REFERENCE.exec(attributes)
    if (row === 'row') {
      nextRow = Math.min(reference ? Number.parseInt(reference[2]!, 10) : nextRow, TOTAL_ROWS_MAX) + 1
      nextColumn = 1
      rowTags++
      if (cutAt === end && (rowTags > ROWS_MAX || nextRow - 1 > ROWS_MAX)) cutAt = tag.index
    } else {
      const column = reference?.[1] ? columnOf(reference[1]) : nextColumn
      nextColumn = column + 1
      rows = Math.max(rows, nextRow - 1)
      columns = Math.max(columns, column)
    }
  }
  const extent = rows > 0 ? `<dimension ref="A1:${lettersOf(columns)}${rows}"/>` : ''
  const data = xml.slice(xml.search(/<(?:\w+:)?sheetData\b/), cutAt)
  const [opening = ''] = /^[\s\S]*?<(?:\w+:)?worksheet\b[^>]*>/.exec(xml.slice(0, HEAD_UNITS_MAX)) ?? []
  return Buffer.from(`${opening}${extent}${data}${xml.slice(end)}`, 'latin1')
}

const TAG = /<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)/g
const REFERENCE = /\sr=["']([A-Z]*)(\d+)["']/
const HEAD_UNITS_MAX = 16_384

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters.slice(0, 4)) column = column * 26 + letter.charCodeAt(0) - 64
  return Math.min(column, TOTAL_COLUMNS_MAX)
}

function lettersOf(column: number): string {
  const letter = String.fromCharCode(65 + ((column - 1) % 26))
  return column > 26 ? lettersOf(Math.floor((column - 1) / 26)) + letter : letter
}
