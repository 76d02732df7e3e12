import { RE2JS } from 're2js'
import { compilePattern, InvalidPattern } from '../../../../security/re2-pattern.ts'
import type { FindMatch } from './match.ts'

/** RE2's `\b` supports ASCII only. */
const WORD = /[\p{L}\p{N}\p{M}_]/u

/** Whole words in any case. A space matches any whitespace. */
export function findPhrases(phrases: readonly string[]): FindMatch {
  const alternatives = phrases
    .toSorted((a, b) => b.length - a.length)
    .map((phrase) =>
      phrase
        .split(/\s+/)
        .map((word) => RE2JS.quote(word))
        .join('\\s+'),
    )
  const compiled = RE2JS.compile(alternatives.join('|'), RE2JS.CASE_INSENSITIVE)
  return (text, from) => {
    const matcher = compiled.matcher(text)
    let at = from
    while (at <= text.length && matcher.find(at)) {
      const [start, end] = [matcher.start(), matcher.end()]
      if (isWholePhrase(text, start, end)) return { start, end, label: 'phrase' }
      at = start + 1
    }
    return null
  }
}

const isWholePhrase = (text: string, start: number, end: number) =>
  !(WORD.test(characterBefore(text, start)) && WORD.test(characterAfter(text, start))) &&
  !(WORD.test(characterBefore(text, end)) && WORD.test(characterAfter(text, end)))

/** A character may take two code units. */
const characterBefore = (text: string, at: number) => {
  const unit = text.charAt(at - 1)
  return /[\udc00-\udfff]/.test(unit) ? text.slice(Math.max(0, at - 2), at) : unit
}
const characterAfter = (text: string, at: number) => {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

/** Linear time. Throws `InvalidPattern`. */
export function findPattern(pattern: string, { ignoreCase }: { ignoreCase: boolean }): FindMatch {
  const compiled = compilePattern(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  if (compiled.matcher('').find()) throw new InvalidPattern('must not match an empty text')
  return (text, from) => {
    const matcher = compiled.matcher(text)
    let at = from
    while (at <= text.length && matcher.find(at)) {
      const [start, end] = [matcher.start(), matcher.end()]
      if (end > start) return { start, end, label: 'pattern' }
      at = end + 1
    }
    return null
  }
}
