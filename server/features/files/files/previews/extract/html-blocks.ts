import type { ExtractedText, TextBlock } from '../../../../../../markdown/text-blocks.ts'

const BLOCK_TAG = /^<(\/?)(p|h[1-6]|li|tr|section|blockquote|pre|dt|dd|table|caption|div|hr)\b/i
const CELL = /^<t[dh]\b/i
const BREAK = /^<br\b/i

/** The renderer can read no other folder's code. */
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', ' '],
  ['#39', "'"],
])

/** Reads sanitized HTML. A `section` is a slide. Rows of a table have its first row as their context. */
export function htmlBlocks(html: string): ExtractedText {
  const parts: string[] = []
  const blocks: TextBlock[] = []
  let length = 0
  let pages = 0
  let current = ''
  let level: number | undefined
  let isRow = false
  let header: string | null = null

  const end = () => {
    const text = current
      .split('\n')
      .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
      .filter(Boolean)
      .join('\n')
    current = ''
    if (text === '') return
    const from = length
    parts.push(text, '\n')
    length += text.length + 1
    const block: TextBlock = { from, to: from + text.length }
    if (level !== undefined) block.level = level
    if (pages > 0) block.page = pages
    if (isRow) {
      block.isRow = true
      if (header === null) header = text.length <= CONTEXT_MAX ? text : ''
      else if (header !== '') block.context = header
    }
    blocks.push(block)
  }
  for (const [piece] of html.matchAll(/<[^>]*>|[^<]+/g)) {
    if (!piece.startsWith('<')) {
      current += piece.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES.get(name)!)
      continue
    }
    if (BREAK.test(piece)) current += '\n'
    else if (CELL.test(piece) && current.trim() !== '') current += ' | '
    const tag = BLOCK_TAG.exec(piece)
    if (!tag) continue
    const name = tag[2]!.toLowerCase()
    const isEnd = tag[1] === '/'
    // A paragraph in a cell belongs to the row.
    if (isRow && name !== 'tr' && name !== 'table') {
      current += ' '
      continue
    }
    end()
    level = !isEnd && /^h\d$/.test(name) ? Number(name[1]) : undefined
    isRow = !isEnd && name === 'tr'
    if (name === 'table') header = null
    if (name === 'section' && !isEnd) pages++
  }
  end()
  return { text: parts.join('').trimEnd(), blocks, pages: pages || null, truncated: false }
}

export const CONTEXT_MAX = 400
