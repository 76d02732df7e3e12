/** Shorter beginnings and parts are coincidence. */
const LETTERS_MIN = 4
/** Of the longer word. */
const BEGINNING_MIN = 0.5

/** `'lexeme':1,2` of the text. Words as they are written begin with `=` and have no positions. */
const LEXEME = /'([^'=]+)':/g

/**
 * For each word, the most similar one of a text: `religion` and `religious` begin alike, and `hochzeit` is a part of
 * `massenhochzeit`. Stemming finds neither.
 */
export function relate<T>(
  words: readonly { term: T; word: string }[],
  tsv: string,
): { term: T; likeness: number }[] {
  const wanted = words.filter(({ word }) => word.length >= LETTERS_MIN)
  if (wanted.length === 0) return []
  const best = wanted.map(() => 0)
  for (const [, lexeme] of tsv.matchAll(LEXEME)) {
    if (lexeme!.length < LETTERS_MIN) continue
    for (const [index, { word }] of wanted.entries()) {
      const likeness = likenessOf(word, lexeme!)
      if (likeness > best[index]!) best[index] = likeness
    }
  }
  return wanted.flatMap(({ term }, index) => (best[index]! > 0 ? [{ term, likeness: best[index]! }] : []))
}

function likenessOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  let same = 0
  while (same < short.length && a[same] === b[same]) same++
  if (same >= LETTERS_MIN && same / long.length >= BEGINNING_MIN) return same / long.length
  return long.includes(short) ? short.length / long.length : 0
}
