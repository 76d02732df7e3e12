/** Source a translation keeps: an expression, or an element around translated text. */
export type Slot =
  | { kind: 'value'; start: number; end: number }
  | { kind: 'element'; open: { start: number; end: number }; close: { start: number; end: number } }

export interface Message {
  /** In English: `{0}` is an expression, `<1>…</1>` an element, `file|files` a noun with its plural. */
  key: string
  /** `text` includes its tag `t`, which the build removes; `template` is the template after another tag. */
  kind: 'children' | 'attribute' | 'text' | 'template' | 'nouns'
  start: number
  end: number
  slots: Slot[]
  before: string
  after: string
}

export type Token = { kind: 'text'; text: string } | { kind: 'value' | 'open' | 'close'; slot: number }

const MARK = /\{(\d+)\}|<(\d+)>|<\/(\d+)>/g

export function parseTokens(text: string): Token[] {
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

/** Sorted. A translation must have its key's marks. */
export const sortedMarks = (text: string): string =>
  [...text.matchAll(MARK)]
    .map(([mark]) => mark)
    .sort()
    .join('')

export const hasMarks = (text: string): boolean => sortedMarks(text) !== ''
