/** Letters, marks and digits of one word. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** Written without spaces: each pair of letters is a word. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+/gu
const MARKS = /[\u0300-\u036f]+/g
/** PostgreSQL refuses longer ones in an index. */
const WORD_UNITS_MAX = 60

/** Lower case, separated by spaces, for a stemmer: accents stay, because stemmers and stop word lists need them. */
export const toStemmable = (text: string): string => wordsOf(text).join(' ')

/** Without accents, as they are written otherwise. */
export const toExactWords = (text: string): string[] => [...new Set(wordsOf(text).map(fold))].filter(Boolean)

export const countWords = (text: string): number => text.match(WORD)?.length ?? 0

function wordsOf(text: string): string[] {
  return (text.normalize('NFC').toLowerCase().replace(SPACELESS, toPairs).match(WORD) ?? []).map((word) =>
    word.slice(0, WORD_UNITS_MAX).toWellFormed(),
  )
}

function toPairs(run: string): string {
  const letters = [...run]
  if (letters.length === 1) return ` ${run} `
  return ` ${letters
    .slice(1)
    .map((letter, index) => letters[index]! + letter)
    .join(' ')} `
}

const fold = (word: string): string => word.normalize('NFKD').replace(MARKS, '').replaceAll('ß', 'ss')
