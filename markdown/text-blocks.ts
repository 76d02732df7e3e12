/** A document's text and its parts, in order. Nothing overlaps. */
export interface ExtractedText {
  text: string
  blocks: TextBlock[]
  /** Pages, slides or sheets that were read. Null without any. */
  pages: number | null
  /** Whether the document has more. */
  truncated: boolean
}

export interface TextBlock {
  /** In UTF-16 code units of the text. */
  from: number
  to: number
  /** For a heading: 1 is the outermost. */
  level?: number
  /** From 1. */
  page?: number
  /** For a table's row: the header row, which readers need to understand it. */
  context?: string
  isRow?: true
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+\S/
const FENCE = /^ {0,3}(```|~~~)/

/** Paragraphs and headings. Plain text has no headings, so it may be read the same way. */
export function markdownBlocks(text: string): ExtractedText {
  const blocks: TextBlock[] = []
  let fence: string | null = null
  let from: number | null = null
  let at = 0
  const end = (to: number) => {
    if (from !== null && to > from) blocks.push({ from, to })
    from = null
  }
  for (const line of text.split('\n')) {
    const to = at + line.length
    const marker = FENCE.exec(line)?.[1]
    if (marker !== undefined) fence = fence === null ? marker : fence === marker ? null : fence
    const heading = fence === null ? HEADING.exec(line) : null
    if (heading) {
      end(at)
      blocks.push({ from: at + heading[0].length - 1, to, level: heading[1]!.length })
    } else if (line.trim() === '' && fence === null) end(at)
    else from ??= at
    at = to + 1
  }
  end(text.length)
  return { text, blocks, pages: null, truncated: false }
}
