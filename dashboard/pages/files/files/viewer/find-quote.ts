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
export function findQuote(texts: readonly string[], quote: string): FoundQuote | null {
  const wanted = lettersOf(quote).text
  const { text, places } = lettersOfAll(texts)
  for (let length = wanted.length; length >= Math.min(PART_MIN, wanted.length) && length > 0; ) {
    for (const part of [wanted.slice(0, length), wanted.slice(-length)]) {
      const at = text.indexOf(part)
      if (at !== -1) return { start: places[at]!, end: places[at + part.length - 1]! }
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
