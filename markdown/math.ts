import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'

/**
 * Formulas as `math_inline` and `math_block` tokens: `$…$`, `\(…\)`, `$$…$$` and `\[…\]`. A block ends at its closing mark,
 * and a blank line before that makes it a paragraph, so that later text never changes it.
 */
export function addMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math_inline', readInlineMath)
  markdown.block.ruler.before('fence', 'math_block', readMathBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
}

export const FORMULA_UNITS_MAX = 4000

function readInlineMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  const mark = openingMark(src, pos)
  if (!mark || (mark.open === '$$' && (src[pos - 1] === '$' || src[pos + 2] === '$'))) return false
  const start = pos + mark.open.length
  const window = src.slice(start, start + FORMULA_UNITS_MAX)
  const end = closingIndex(window, mark.close)
  if (end <= 0) return false
  const content = window.slice(0, end)
  if (mark.open === '$' && !isFormula(content, src[pos - 1] ?? '', window[end + 1] ?? '')) return false
  if (content.trim() === '') return false
  if (!silent) {
    const token = state.push('math_inline', 'math', 0)
    token.content = content.trim()
    token.markup = mark.isDisplay ? '$$' : '$'
  }
  state.pos = start + end + mark.close.length
  return true
}

const MARKS = [
  { open: '$$', close: '$$', isDisplay: true },
  { open: '$', close: '$', isDisplay: false },
  { open: '\\(', close: '\\)', isDisplay: false },
  { open: '\\[', close: '\\]', isDisplay: true },
]

const openingMark = (src: string, pos: number) => MARKS.find(({ open }) => src.startsWith(open, pos))

/** The first closing mark; in a `$` formula, `\$` is a dollar sign. */
function closingIndex(text: string, close: string): number {
  for (let at = text.indexOf(close); at !== -1; at = text.indexOf(close, at + 1)) {
    if (close.startsWith('\\') || text[at - 1] !== '\\') return at
  }
  return -1
}

/**
 * Tells formulas from prices: no space inside the dollar signs, no letter or digit beside them, and no words after an
 * amount. `$5 and $10`, `US$5`, `$5, or 10$` and `$HOME/$USER` aren't formulas.
 */
function isFormula(content: string, before: string, after: string): boolean {
  if (/^\s|\s$/.test(content) || /[\p{L}\p{N}$]/u.test(before) || /[\p{L}\p{N}$]/u.test(after)) return false
  return !/^[\d.,]+(?!\w)[^\\]*?\s\p{L}{2,}/u.test(content)
}

function readMathBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false
  const first = lineOf(state, startLine)
  const mark = MARKS.find(({ open, isDisplay }) => isDisplay && first.startsWith(open))
  if (!mark || first.startsWith('$$$')) return false
  const lines = [first.slice(mark.open.length)]
  let line = startLine
  let closed = isClosing(lines[0]!, mark.close)
  while (!closed && !lines.at(-1)!.includes(mark.close) && isContinued(state, line + 1, endLine)) {
    lines.push(lineOf(state, ++line))
    closed = isClosing(lines.at(-1)!, mark.close)
  }
  const content = lines.join('\n').trimEnd().slice(0, -mark.close.length).trim()
  if (!closed || content === '' || content.length > FORMULA_UNITS_MAX) {
    // Text after the closing mark: the inline rule finds the formula.
    if (lines.length === 1 && lines[0]!.includes(mark.close)) return false
    return silent || keepParagraph(state, startLine, line + 1)
  }
  if (silent) return true
  state.line = line + 1
  const token = state.push('math_block', 'math', 0)
  token.block = true
  token.content = content
  token.map = [startLine, state.line]
  return true
}

const lineOf = (state: StateBlock, line: number) =>
  state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line])

const isClosing = (line: string, close: string) => line.trimEnd().endsWith(close)

const isContinued = (state: StateBlock, line: number, endLine: number) =>
  line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent

function keepParagraph(state: StateBlock, startLine: number, endLine: number): boolean {
  state.line = endLine
  state.push('paragraph_open', 'p', 1).map = [startLine, endLine]
  const content = state.getLines(startLine, endLine, state.blkIndent, false).trim()
  Object.assign(state.push('inline', '', 0), { content, children: [], map: [startLine, endLine] })
  state.push('paragraph_close', 'p', -1)
  return true
}
