import { type Inline, type Part, parseMarkdown, plainText } from '../../../components/markdown/parse.ts'

export interface TextStyle {
  size: number
  isBold?: boolean
  isMono?: boolean
}

export type Measure = (text: string, style: TextStyle) => number

export interface Line extends TextStyle {
  text: string
  x: number
  height: number
  task?: boolean
}

const BODY = 14
const SIZES = { 1: 20, 2: 16, 3: 14 } as const
const INDENT = 20
const LINE_RATIO = 1.43
/** Longer text is cut. */
const CHARACTERS_MAX = 12_000

/** Doesn't show emphasis inside a line. */
export function markdownLines(text: string, width: number, measure: Measure): Line[] {
  const lines: Line[] = []
  const add = (words: string, x: number, style: TextStyle, firstLine: Partial<Line> = {}) => {
    for (const [index, each] of wrap(words, width - x, style, measure).entries())
      lines.push({
        text: each,
        x,
        height: Math.round(style.size * LINE_RATIO),
        ...style,
        ...(index === 0 && firstLine),
      })
  }
  const addGap = () => lines.push({ text: '', x: 0, size: BODY, height: 8 })
  const addPart = (part: Part, x: number) => {
    switch (part.kind) {
      case 'heading':
        return add(plainText(part.inside), x, { size: SIZES[part.level], isBold: true })
      case 'paragraph':
        return add(plainText(part.inside), x, { size: BODY })
      case 'code':
        return add(part.text, x, { size: 12, isMono: true })
      case 'quote':
        for (const inner of part.inside) addPart(inner, x + INDENT)
        return
      case 'rule':
        return add('———', x, { size: BODY })
      case 'table':
        return addTable([part.header, ...part.rows], x)
      case 'list':
        for (const [index, item] of part.items.entries()) {
          const mark = item.done !== null ? '' : part.ordered ? `${part.start + index}. ` : '• '
          const task = item.done === null ? {} : { task: item.done }
          const [first, ...rest] = item.inside
          const hasText = first?.kind === 'paragraph'
          add(`${mark}${hasText ? plainText(first.inside) : ''}`, x + INDENT, { size: BODY }, task)
          for (const inner of hasText ? rest : item.inside) addPart(inner, x + INDENT)
        }
    }
  }
  const addTable = (rows: Inline[][][], x: number) => {
    const columnWidth = (width - x) / Math.max(1, rows[0]!.length)
    for (const [index, row] of rows.entries()) {
      for (const [at, cell] of row.entries()) {
        const style = { size: BODY, isBold: index === 0 }
        const [shown = ''] = wrap(plainText(cell), columnWidth - 8, style, measure)
        const height = at === row.length - 1 ? Math.round(BODY * LINE_RATIO) : 0
        lines.push({ text: shown, x: x + at * columnWidth, height, ...style })
      }
    }
  }
  for (const [index, part] of parseMarkdown(text.slice(0, CHARACTERS_MAX)).entries()) {
    if (index > 0) addGap()
    addPart(part, 0)
  }
  return lines
}

/** Breaks within a word only if it's longer than a line. */
export function wrap(text: string, width: number, style: TextStyle, measure: Measure): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(/(?<=\s)/)) {
      if (line && measure((line + word).trimEnd(), style) > width) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += word
      while (line.length > 1 && measure(line.trimEnd(), style) > width) {
        const fitting = fittingLength(line, width, style, measure)
        lines.push(line.slice(0, fitting))
        line = line.slice(fitting)
      }
    }
    return [...lines, line.trimEnd()]
  })
}

function fittingLength(text: string, width: number, style: TextStyle, measure: Measure): number {
  let [low, high] = [1, text.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(text.slice(0, middle), style) <= width) low = middle
    else high = middle - 1
  }
  return low
}
