export interface Token {
  kind: 'name' | 'text' | 'number' | 'symbol' | 'end'
  text: string
  /** The position of its first character, from 1. */
  at: number
}

const SYMBOLS = ['==', '!=', '(', ')', '[', ']', ',']
const SPACE = /\s/
const NAME_START = /[A-Za-z]/
const NAME = /[\w.]/
const DIGIT = /[\d.]/

/** A mistake in a filter, with its position. */
export class FilterError extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(`${message} at position ${at}`)
    this.at = at
  }
}

/** Splits a filter into tokens. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let index = 0
  const takeWhile = (pattern: RegExp) => {
    const start = index
    while (index < source.length && pattern.test(source[index]!)) index++
    return source.slice(start, index)
  }
  while (index < source.length) {
    const at = index + 1
    const character = source[index]!
    const symbol = SYMBOLS.find((each) => source.startsWith(each, index))
    if (SPACE.test(character)) index++
    else if (character === '"' || character === "'") {
      const { text, end } = readQuoted(source, index)
      tokens.push({ kind: 'text', text, at })
      index = end
    } else if (symbol) {
      tokens.push({ kind: 'symbol', text: symbol, at })
      index += symbol.length
    } else if (NAME_START.test(character)) tokens.push({ kind: 'name', text: takeWhile(NAME), at })
    else if (DIGIT.test(character) || character === '-') {
      index++
      tokens.push({ kind: 'number', text: character + takeWhile(DIGIT), at })
    } else throw new FilterError(at, `“${character}” is not allowed`)
  }
  return [...tokens, { kind: 'end', text: '', at: source.length + 1 }]
}

/** A text in quotes; a backslash keeps the quote or the backslash that follows it. */
function readQuoted(source: string, start: number): { text: string; end: number } {
  const quote = source[start]
  let text = ''
  for (let index = start + 1; index < source.length; index++) {
    const character = source[index]!
    if (character === quote) return { text, end: index + 1 }
    if (character !== '\\') text += character
    else if (index + 1 < source.length) text += source[++index]
  }
  throw new FilterError(start + 1, 'The text has no closing quote')
}
