import { badField, badRequest } from '../../../errors.ts'

/** A manifest's JSON text, with the rows of its tables apart. */
export interface SplitManifest {
  /** Has empty lists of rows. */
  rest: string
  /** By the table's position: each row's text, one at a time. */
  rowTexts: (table: number) => Generator<string>
}

/**
 * Finds the rows of a manifest's tables without parsing them, because a hundred thousand rows as objects take several
 * times the memory of their text. Everything else is left to the parser, also what is no valid JSON.
 */
export function splitRows(content: Buffer): SplitManifest {
  const lists: Span[] = []
  const tables: (Span | null)[] = []
  const scanner = createScanner(content)
  for (const name of scanner.members()) {
    if (name !== 'tables') continue
    if (tables.length > 0) throw badField('body.tables', 'is given twice')
    for (const _ of scanner.items()) {
      let span: Span | null = null
      for (const field of scanner.members()) {
        if (field !== 'rows') continue
        if (span) throw badField(`body.tables.${tables.length}.rows`, 'is given twice')
        span = scanner.listContent()
      }
      if (span) lists.push(span)
      tables.push(span)
    }
  }
  return {
    rest: textAround(content, lists),
    *rowTexts(table) {
      const span = tables[table]
      if (!span) return
      const rows = createScanner(content, span.start - 1)
      for (const _ of rows.items()) yield rows.takeText()
    },
  }
}

interface Span {
  start: number
  end: number
}

function textAround(content: Buffer, spans: readonly Span[]): string {
  let at = 0
  const parts: Buffer[] = []
  for (const { start, end } of spans) {
    parts.push(content.subarray(at, start))
    at = end
  }
  return Buffer.concat([...parts, content.subarray(at)]).toString()
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
/** By byte: no part of a number, `true`, `false` or `null`. */
const ENDS_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(
    byte <= 0x20 || [QUOTE, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT].includes(byte),
  ),
)

/** Walks through a JSON text. A value that isn't read is skipped. */
function createScanner(content: Buffer, from = 0) {
  let at = from

  function peek(): number {
    for (;;) {
      const byte = content[at]
      if (byte === undefined) throw notJson()
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      at++
    }
  }

  function expect(byte: number): void {
    if (peek() !== byte) throw notJson()
    at++
  }

  /** At any depth, without recursion. */
  function skip(): void {
    let depth = 0
    do {
      const byte = peek()
      if (byte === QUOTE) skipString()
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
      else if (byte === COMMA || byte === COLON) {
        if (depth === 0) throw notJson()
      } else while (ENDS_WORD[content[at + 1]!] === 0) at++
      if (depth < 0) throw notJson()
      at++
    } while (depth > 0)
  }

  /** To its last quote. */
  function skipString(): void {
    for (at++; content[at] !== QUOTE; at++) {
      if (content[at] === BACKSLASH) at++
      if (at >= content.length) throw notJson()
    }
  }

  function takeText(): string {
    peek()
    const start = at
    skip()
    return content.toString('utf8', start, at)
  }

  function* entries(open: number, close: number): Generator<void> {
    if (peek() !== open) return
    at++
    for (let isFirst = true; peek() !== close; isFirst = false) {
      if (!isFirst) expect(COMMA)
      yield
    }
    at++
  }

  return {
    takeText,
    /** The names of an object, each with the position at its value. None for another value. */
    *members(): Generator<string> {
      for (const _ of entries(OPEN_OBJECT, CLOSE_OBJECT)) {
        if (peek() !== QUOTE) throw notJson()
        const name = parseName(takeText())
        expect(COLON)
        peek()
        const start = at
        yield name
        if (at === start) skip()
      }
    },
    /** Stops at each item of a list. None for another value. */
    *items(): Generator<void> {
      for (const _ of entries(OPEN_LIST, CLOSE_LIST)) {
        peek()
        const start = at
        yield
        if (at === start) skip()
      }
    },
    /** Between its brackets. Null for another value. */
    listContent(): Span | null {
      if (peek() !== OPEN_LIST) return null
      const start = at + 1
      skip()
      return { start, end: at - 1 }
    },
  }
}

function parseName(text: string): string {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

export const notJson = () => badRequest('The body is not valid JSON')
