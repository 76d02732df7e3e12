import MarkdownIt, {
  type MarkdownIt as Parser,
  type StateBlock,
  type StateCore,
  type Token,
} from 'markdown-it'
import { addMath } from './math.ts'

export type { Token }

/**
 * For chats, comments, canvas blocks and previews: CommonMark with tables, strikethrough, and linked URLs and email
 * addresses. HTML stays text. `math` adds formulas, as tokens that only the dashboard can show.
 */
export function createMarkdown({ math = false } = {}): Parser {
  const markdown = new MarkdownIt({ html: false, linkify: true, maxNesting: NESTING_MAX + 2 })
  // A bare `README.md` is a file, not a host in Moldova.
  markdown.linkify.set({ fuzzyLink: false })
  // Link text stays as written: a decoded host may look like another one.
  markdown.normalizeLinkText = (text) => text
  markdown.block.ruler.before('table', 'deep_text', keepDeepText)
  markdown.core.ruler.at('inline', parseParagraphs)
  if (math) addMath(markdown)
  return markdown
}

/**
 * The parser compares every bracket and asterisk with the rest of the paragraph: half a megabyte of `[` takes minutes.
 * Longer paragraphs render as plain text.
 */
const PARAGRAPH_UNITS_MAX = 8000
const PARAGRAPH_MARKS_MAX = 500
const DOCUMENT_MARKS_MAX = 20_000

function parseParagraphs({ tokens, md, env, Token }: StateCore): void {
  let marksLeft = DOCUMENT_MARKS_MAX
  for (const token of tokens) {
    if (token.type !== 'inline') continue
    const { content } = token
    const marks =
      content.length > PARAGRAPH_UNITS_MAX ? Infinity : (content.match(/[[\]!*_~`<&$]/g)?.length ?? 0)
    if (marks <= Math.min(PARAGRAPH_MARKS_MAX, marksLeft)) {
      marksLeft -= marks
      md.inline.parse(content, md, env, token.children!)
      continue
    }
    token.children = [Object.assign(new Token('text', '', 0), { content })]
    // The link search in plain text reads this.
    token.content = ''
  }
}

/** A list adds two levels, a quote one. */
const NESTING_MAX = 38

/** Keeps overly nested text as a paragraph. The parser would drop it and everything after. */
function keepDeepText(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < NESTING_MAX) return false
  let line = startLine + 1
  while (line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) line++
  state.line = line
  state.push('paragraph_open', 'p', 1).map = [startLine, line]
  const content = state.getLines(startLine, line, state.blkIndent, false).trim()
  Object.assign(state.push('inline', '', 0), { content, children: [], map: [startLine, line] })
  state.push('paragraph_close', 'p', -1)
  return true
}
