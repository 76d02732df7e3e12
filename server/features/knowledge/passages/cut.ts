import type { ExtractedText, TextBlock } from '../../../../markdown/text-blocks.ts'

export interface Passage {
  page: number | null
  from: number
  to: number
  /** From the outermost. */
  heading: string
  /** A table's header row. */
  context: string
}

/** In UTF-16 code units. */
const UNITS_MIN = 600
const UNITS_MAX = 1000
const OVERLAP = 100
/** Below this, text under a heading joins what follows it. */
const SECTION_MIN = 160
const HEADING_UNITS_MAX = 300
const ONE_HEADING_UNITS_MAX = 120
export const HEADING_SEPARATOR = ' › '

/** Along headings, pages and rows. A passage's text is a slice of the document's. */
export function cutPassages({ text, blocks }: ExtractedText): Passage[] {
  const passages: Passage[] = []
  const headings: { level: number; text: string }[] = []
  let section: Section | null = null
  let hasText = false

  const flush = () => {
    if (section) passages.push(...cutSection(text, section))
    section = null
  }
  for (const block of blocks) {
    if (block.to <= block.from) continue
    if (block.level !== undefined) {
      const [title] = headings
      // Above chapters of its own level, a first heading without text is the document's title.
      if (!hasText && headings.length === 1 && title!.level === block.level) title!.level = 0
      while (headings.length > 0 && headings.at(-1)!.level >= block.level) headings.pop()
      headings.push({
        level: block.level,
        // A line may have any length, and every section below repeats it.
        text: text
          .slice(block.from, Math.min(block.to, block.from + ONE_HEADING_UNITS_MAX))
          .replace(/\s+/g, ' ')
          .trim(),
      })
    }
    if (section !== null && startsSection(section, block)) flush()
    if (section === null) section = startSection(block, headings)
    else {
      section.to = block.to
      // A heading alone has no text yet, so the one below it counts.
      if (block.level !== undefined) section.heading = pathOf(headings)
    }
    if (block.level === undefined) {
      section.hasText = true
      hasText = true
    }
  }
  flush()
  return passages
}

interface Section extends Passage {
  isTable: boolean
  hasText: boolean
}

const startSection = (block: TextBlock, headings: { text: string }[]): Section => ({
  page: block.page ?? null,
  from: block.from,
  to: block.to,
  heading: pathOf(headings),
  context: block.context ?? '',
  isTable: block.isRow === true,
  hasText: false,
})

const pathOf = (headings: { text: string }[]) =>
  headings
    .map(({ text }) => text)
    .filter(Boolean)
    .join(HEADING_SEPARATOR)
    .slice(0, HEADING_UNITS_MAX)
    .toWellFormed()

function startsSection(section: Section, block: TextBlock): boolean {
  if ((block.page ?? null) !== section.page || (block.context ?? '') !== section.context) return true
  const length = section.to - section.from
  if (block.level !== undefined) return section.hasText && length >= SECTION_MIN
  // Rows aren't cut in the middle, so a section ends before one that doesn't fit.
  return block.isRow === true && block.to - section.from > UNITS_MAX
}

function cutSection(text: string, { isTable, hasText: _hasText, ...section }: Section): Passage[] {
  const cut: Passage[] = []
  let from = section.from
  while (section.to - from > UNITS_MAX) {
    const end = endOfPassage(text, from)
    cut.push({ ...section, from, to: end })
    from = isTable ? end : startOfOverlap(text, from, end)
  }
  cut.push({ ...section, from, to: section.to })
  return cut.filter((passage) => text.slice(passage.from, passage.to).trim() !== '')
}

const BREAKS = [/\n\s*\n/g, /\n/g, /[.!?…。！？]["'”’)\]]*\s|[。！？]/g, /\s/g]

function endOfPassage(text: string, from: number): number {
  const window = text.slice(from + UNITS_MIN, from + UNITS_MAX)
  for (const pattern of BREAKS) {
    const last = [...window.matchAll(pattern)].at(-1)
    if (last) return from + UNITS_MIN + last.index + last[0].length
  }
  return onBoundary(text, from + UNITS_MAX)
}

/** At a sentence if one begins there, otherwise at a word. */
function startOfOverlap(text: string, from: number, end: number): number {
  const start = Math.max(from + 1, end - OVERLAP)
  const window = text.slice(start, end)
  const sentence = /[.!?…]["'”’)\]]*\s+(?=\S)|\n+(?=\S)/.exec(window) ?? /\s+(?=\S)/.exec(window)
  return sentence ? start + sentence.index + sentence[0].length : onBoundary(text, start)
}

/** Not between the halves of a character. */
function onBoundary(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
