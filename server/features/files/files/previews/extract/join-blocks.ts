import type { ExtractedText, TextBlock } from '../../../../../../markdown/text-blocks.ts'

/** The server's own process reads these: a file of empty lines has millions. */
const BLOCKS_MAX = 50_000
/** Several short rows fit into one passage. */
const ROWS_UNITS_MAX = 300

/** Paragraphs beside each other say no more than one. What is still too much is left out. */
export function joinBlocks(extracted: ExtractedText): ExtractedText {
  if (extracted.blocks.length <= BLOCKS_MAX) return extracted
  const joined: TextBlock[] = []
  for (const block of extracted.blocks) {
    const last = joined.at(-1)
    if (last && mayJoin(last, block)) last.to = block.to
    else joined.push({ ...block })
  }
  const blocks = joined.slice(0, BLOCKS_MAX)
  return { ...extracted, blocks, truncated: extracted.truncated || blocks.length < joined.length }
}

const mayJoin = (last: TextBlock, block: TextBlock): boolean =>
  last.level === undefined &&
  block.level === undefined &&
  last.isRow === block.isRow &&
  last.page === block.page &&
  last.context === block.context &&
  (!block.isRow || block.to - last.from <= ROWS_UNITS_MAX)
