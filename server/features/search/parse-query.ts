export interface Query {
  words: string[]
  /** As typed, in lower case, to find them in a text. */
  typed: string[]
  /** For `to_tsquery`. Null without a word. */
  text: string | null
  /** Whether the last word may be incomplete. */
  isPrefix: boolean
  /** Has a phrase, alternative or exclusion, which prefix and similarity searches ignore. */
  isExact: boolean
}

/** Longer queries are cut, because each word is a lookup. */
const WORDS_MAX = 12
/** Nearly every text matches one letter. Titles are still found by it. */
const PREFIX_MIN = 2

const TERM = /"([^"]*)"|(?<![\p{L}\p{N}])(-?)([\p{L}\p{N}]+)|([\p{L}\p{N}]+)/gu
const WORD = /[\p{L}\p{N}]+/gu

/**
 * Parses words, "phrases", `or` and `-without`. Words are only letters and digits, so they contain no tsquery operator.
 */
export function parseQuery(q: string): Query {
  const alternatives: string[][] = [[]]
  const words: string[] = []
  const without: string[] = []
  /** The last term, if a match must contain it. */
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

/** Equal to `search_fold()` in PostgreSQL, which folds the searched texts. */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ß', 'ss')
