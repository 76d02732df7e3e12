export interface Query {
  /** The words that a match contains, folded, in their order. */
  words: string[]
  /** The words as typed in lower case, to find them in a text. */
  typed: string[]
  /** The query for `to_tsquery`, with phrases, alternatives and exclusions. Null without a word. */
  text: string | null
  /** Whether the last word may be the beginning of a word. */
  isPrefix: boolean
  /** Whether the query has a phrase, an alternative or an exclusion, which a search by prefix or similarity ignores. */
  isExact: boolean
}

/** Longer queries are cut: each word is a lookup. */
const WORDS_MAX = 12
/** A beginning of one letter is in nearly every text; titles are still found by it. */
const PREFIX_MIN = 2

const TERM = /"([^"]*)"|(?<![\p{L}\p{N}])(-?)([\p{L}\p{N}]+)|([\p{L}\p{N}]+)/gu
const WORD = /[\p{L}\p{N}]+/gu

/**
 * Parses a query: words, "phrases", `or`, and `-without`. Every word consists of letters and digits, so that
 * it contains no operator of a tsquery.
 */
export function parseQuery(q: string): Query {
  const alternatives: string[][] = [[]]
  const words: string[] = []
  const without: string[] = []
  /** The last term, if it is a word that a match contains. */
  let last: string | undefined
  for (const [, phrase, minus, bare, joined] of fold(q).matchAll(TERM)) {
    if (words.length >= WORDS_MAX) break
    last = undefined
    if (phrase !== undefined) {
      const parts = phrase.match(WORD) ?? []
      words.push(...parts)
      if (parts.length > 0) alternatives.at(-1)!.push(`(${parts.map(quote).join(' <-> ')})`)
    } else if (minus) without.push(`!${quote(bare!)}`)
    else if (bare === 'or') alternatives.push([])
    else {
      last = (bare ?? joined)!
      words.push(last)
      alternatives.at(-1)!.push(quote(last))
    }
  }
  const isPrefix = last !== undefined && last.length >= PREFIX_MIN && /[\p{L}\p{N}]$/u.test(q)
  const groups = alternatives.filter((group) => group.length > 0)
  if (isPrefix) groups.at(-1)!.push(`${groups.at(-1)!.pop()!}:*`)
  const matching = groups.map((group) => group.join(' & ')).join(' | ')
  const text = matching === '' ? null : [`(${matching})`, ...without].join(' & ')
  const isExact = groups.length > 1 || without.length > 0 || q.includes('"')
  return { words, isExact, typed: q.toLowerCase().match(WORD) ?? [], text, isPrefix }
}

const quote = (word: string) => `'${word}'`

const MARKS = /[\u0300-\u036f]+/g

/** Lower case, without accents. Equal to `search_fold()` in PostgreSQL, which folds the searched texts. */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ß', 'ss')
