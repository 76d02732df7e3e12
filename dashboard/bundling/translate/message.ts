/** A range of the source that a translation keeps: an expression, or an element around translated text. */
export type Slot =
  | { kind: 'value'; start: number; end: number }
  | { kind: 'element'; open: { start: number; end: number }; close: { start: number; end: number } }

/** A text of a module. */
export interface Message {
  /** The English text: `{0}` is an expression, `<1>…</1>` an element; nouns with their plural as `file|files`. */
  key: string
  /** `text` includes its tag `t`, which the build removes; `template` is the template after another tag. */
  kind: 'children' | 'attribute' | 'text' | 'template' | 'nouns'
  start: number
  end: number
  slots: Slot[]
  /** Spaces around the text, which are no part of the key. */
  before: string
  after: string
}

export type Token = { kind: 'text'; text: string } | { kind: 'value' | 'open' | 'close'; slot: number }

const MARK = /\{(\d+)\}|<(\d+)>|<\/(\d+)>/g

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (const match of text.matchAll(MARK)) {
    if (match.index > at) tokens.push({ kind: 'text', text: text.slice(at, match.index) })
    const [, value, open, close] = match
    if (value !== undefined) tokens.push({ kind: 'value', slot: Number(value) })
    else if (open !== undefined) tokens.push({ kind: 'open', slot: Number(open) })
    else tokens.push({ kind: 'close', slot: Number(close) })
    at = match.index + match[0].length
  }
  if (at < text.length) tokens.push({ kind: 'text', text: text.slice(at) })
  return tokens
}

/** The marks of a text, sorted: a translation has those of its key. */
export const marksOf = (text: string): string =>
  [...text.matchAll(MARK)]
    .map(([mark]) => mark)
    .sort()
    .join('')

export const hasMarks = (text: string): boolean => marksOf(text) !== ''
