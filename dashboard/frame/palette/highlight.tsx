import { Fragment } from 'react'

const MARKS = /[\u0300-\u036f]/g
const WORD = /[\p{L}\p{N}]+/gu

/** Folds each character to one character, so that positions stay the same: `ö` becomes `o`. */
const fold = (text: string) =>
  Array.from(text, (character) => character.normalize('NFKD').replace(MARKS, '')[0] ?? ' ')
    .join('')
    .toLowerCase()

/** The words of a query within a text. The text is never rendered as HTML. */
export function Highlight({ text, query }: { text: string; query: string }) {
  const characters = Array.from(text)
  const words = [...new Set(fold(query).match(WORD) ?? [])].filter((word) => word.length > 1)
  const folded = fold(text)
  if (words.length === 0 || folded.length !== characters.length) return text
  const pattern = new RegExp(words.toSorted((a, b) => b.length - a.length).join('|'), 'gu')
  const parts: { text: string; isMatch: boolean; at: number }[] = []
  let end = 0
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) parts.push({ text: characters.slice(from, to).join(''), isMatch, at: from })
  }
  for (const { index, 0: match } of folded.matchAll(pattern)) {
    add(end, index, false)
    end = index + match.length
    add(index, end, true)
  }
  add(end, characters.length, false)
  return parts.map((part) =>
    part.isMatch ? (
      <mark key={part.at} className="bg-transparent font-strong text-accent-text">
        {part.text}
      </mark>
    ) : (
      <Fragment key={part.at}>{part.text}</Fragment>
    ),
  )
}
