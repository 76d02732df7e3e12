import { widthOf } from '../../../terminal.ts'

const TAB_COLUMNS = 8
const graphemes = new Intl.Segmenter()

/** The column of the cursor after a text, which a terminal wraps at its last column. A full row gives `columns`. */
export function columnAfter(start: number, text: string, columns: number): number {
  const end = text.lastIndexOf('\n')
  let column = end === -1 ? start : 0
  for (const { segment } of graphemes.segment(text.slice(end + 1))) {
    if (segment === '\t') {
      column = Math.min(column + TAB_COLUMNS - (column % TAB_COLUMNS), columns - 1)
      continue
    }
    const width = widthOf(segment)
    column = column + width > columns ? width : column + width
  }
  return column
}
