/** A place in a list of texts. */
interface Place {
  index: number
  offset: number
}

export interface FoundQuote {
  start: Place
  /** Of the last character. */
  end: Place
}

const LETTERS = /[\p{L}\p{N}]/u
/** Shorter parts of a quote could be anywhere. */
const PART_MIN = 24

/**
 * Compares letters and digits alone: extracted text has other spaces and line breaks than a page, and no table lines or
 * Markdown signs. If the whole quote isn't there, finds its longest beginning or end of half, a quarter, and so on.
 */
export const findQuote = (texts: readonly string[], quote: string): FoundQuote | null =>
  findQuotes(texts, [quote])[0] ?? null

/** Finds each after the one before it. Leaves out those that aren't there. */
export function findQuotes(texts: readonly string[], quotes: readonly string[]): FoundQuote[] {
  const { text, places } = lettersOfAll(texts)
  let searched = 0
  return quotes.flatMap((quote) => {
    const found = findPart(text, lettersOf(quote).text, searched)
    if (!found) return []
    searched = found.to
    return [{ start: places[found.from]!, end: places[found.to - 1]! }]
  })
}

function findPart(text: string, wanted: string, searched: number): { from: number; to: number } | null {
  for (let length = wanted.length; length >= Math.min(PART_MIN, wanted.length) && length > 0; ) {
    for (const part of [wanted.slice(0, length), wanted.slice(-length)]) {
      const from = text.indexOf(part, searched)
      if (from !== -1) return { from, to: from + part.length }
    }
    length = Math.floor(length / 2)
  }
  return null
}

function lettersOfAll(texts: readonly string[]): { text: string; places: Place[] } {
  let all = ''
  const places: Place[] = []
  for (const [index, piece] of texts.entries()) {
    const { text, offsets } = lettersOf(piece)
    all += text
    for (const offset of offsets) places.push({ index, offset })
  }
  return { text: all, places }
}

/** In lower case and normal form, with each character's place. */
function lettersOf(text: string): { text: string; offsets: number[] } {
  let letters = ''
  const offsets: number[] = []
  let offset = 0
  for (const character of text) {
    for (const letter of character.normalize('NFKC').toLowerCase())
      if (LETTERS.test(letter)) {
        letters += letter
        for (let unit = 0; unit < letter.length; unit++) offsets.push(offset)
      }
    offset += character.length
  }
  return { text: letters, offsets }
}
