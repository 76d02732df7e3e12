import { dictionary } from '../../../../contract/dictionary.ts'

export const FILTER_FIELDS = [
  'provider',
  'event',
  'change',
  'text',
  'thread',
  'actor.id',
  'actor.name',
  'actor.bot',
  'resource.type',
  'resource.id',
  'resource.url',
] as const
export type FilterField = (typeof FILTER_FIELDS)[number]

export type FilterValue = string | number | boolean | null

export type Filter =
  | { is: 'and' | 'or'; parts: Filter[] }
  | { is: 'not'; part: Filter }
  | { is: 'field'; field: FilterField }
  | { is: '==' | '!=' | 'contains' | 'starts with'; field: FilterField; value: FilterValue }
  | { is: 'in'; field: FilterField; values: FilterValue[] }

const DEPTH_MAX = 20
const PARTS_MAX = 60
const CONSTANTS: Record<string, FilterValue> = dictionary({ true: true, false: false, null: null })

/**
 * `event == "slack.message" and (text contains "help" or actor.name in ["Ada", "Grace"])`. `not` binds tighter than
 * `and`, and `and` tighter than `or`. Throws a FilterError at the first mistake.
 */
export function parseFilter(source: string): Filter {
  const tokens = tokensOf(source)
  let next = 0
  let count = 0
  const peek = () => tokens[next]!
  const take = () => tokens[next++]!
  const isNext = (text: string, kind: Token['kind'] = 'name') => peek().kind === kind && peek().text === text
  const fail = (token: Token, expected: string): never => {
    const found = token.kind === 'end' ? 'the end' : `“${token.text}”`
    throw new FilterError(token.at, `Expected ${expected}, found ${found}`)
  }
  const expect = (symbol: string) => (isNext(symbol, 'symbol') ? take() : fail(peek(), `“${symbol}”`))

  function parseJoined(is: 'and' | 'or', depth: number): Filter {
    const part = () => (is === 'or' ? parseJoined('and', depth) : parseNegated(depth))
    const parts = [part()]
    while (isNext(is)) {
      take()
      parts.push(part())
    }
    return parts.length === 1 ? parts[0]! : { is, parts }
  }

  function parseNegated(depth: number): Filter {
    if (depth > DEPTH_MAX) throw new FilterError(peek().at, `More than ${DEPTH_MAX} levels`)
    if (isNext('not')) {
      take()
      return { is: 'not', part: parseNegated(depth + 1) }
    }
    if (!isNext('(', 'symbol')) return parseComparison()
    take()
    const inner = parseJoined('or', depth + 1)
    expect(')')
    return inner
  }

  function parseComparison(): Filter {
    const token = take()
    if (++count > PARTS_MAX) throw new FilterError(token.at, `More than ${PARTS_MAX} conditions`)
    const field = FILTER_FIELDS.find((name) => token.kind === 'name' && name === token.text)
    if (!field) return fail(token, `a field (${FILTER_FIELDS.join(', ')})`)
    for (const is of ['==', '!='] as const) {
      if (isNext(is, 'symbol')) {
        take()
        return { is, field, value: parseValue() }
      }
    }
    if (isNext('contains')) {
      take()
      return { is: 'contains', field, value: parseValue() }
    }
    if (isNext('starts')) {
      take()
      if (!isNext('with')) fail(peek(), '“with”')
      take()
      return { is: 'starts with', field, value: parseValue() }
    }
    if (!isNext('in')) return { is: 'field', field }
    take()
    return { is: 'in', field, values: parseList() }
  }

  function parseList(): FilterValue[] {
    expect('[')
    const values = [parseValue()]
    while (isNext(',', 'symbol')) {
      take()
      values.push(parseValue())
    }
    expect(']')
    return values
  }

  function parseValue(): FilterValue {
    const token = take()
    if (token.kind === 'text') return token.text
    if (token.kind === 'number' && Number.isFinite(Number(token.text))) return Number(token.text)
    if (token.kind === 'name' && Object.hasOwn(CONSTANTS, token.text)) return CONSTANTS[token.text]!
    return fail(token, 'a text in quotes, a number, true, false or null')
  }

  const filter = parseJoined('or', 0)
  if (peek().kind !== 'end') fail(peek(), '“and”, “or” or the end')
  return filter
}

interface Token {
  kind: 'name' | 'text' | 'number' | 'symbol' | 'end'
  text: string
  /** First character, from 1. */
  at: number
}

const SYMBOLS = ['==', '!=', '(', ')', '[', ']', ',']
const SPACE = /\s/
const NAME_START = /[A-Za-z]/
const NAME = /[\w.]/
const DIGIT = /[\d.]/

export class FilterError extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(`${message} at position ${at}`)
    this.at = at
  }
}

function tokensOf(source: string): Token[] {
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

/** A backslash escapes a quote or backslash. */
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

export interface FilteredEvent {
  eventKey: string
  change: string
  text: string | null
  thread: string
  actor: { id: string | null; name: string | null; isBot: boolean }
  resource: { type: string; id: string; url: string | null } | null
}

/** `contains` and `starts with` ignore case. A field without a value matches only null. */
export function matchesFilter(filter: Filter, provider: string, event: FilteredEvent): boolean {
  const test = (part: Filter): boolean => {
    switch (part.is) {
      case 'and':
        return part.parts.every(test)
      case 'or':
        return part.parts.some(test)
      case 'not':
        return !test(part.part)
      case 'field':
        return Boolean(fieldOf(part.field, provider, event))
      default:
        return compare(part, fieldOf(part.field, provider, event))
    }
  }
  return test(filter)
}

type Comparison = Extract<Filter, { field: FilterField; value: FilterValue } | { is: 'in' }>

function compare(part: Comparison, actual: FilterValue): boolean {
  if (part.is === 'in') return part.values.some((value) => isSame(actual, value))
  if (part.is === '==') return isSame(actual, part.value)
  if (part.is === '!=') return !isSame(actual, part.value)
  if (actual === null || part.value === null) return false
  const [text, expected] = [String(actual).toLowerCase(), String(part.value).toLowerCase()]
  return part.is === 'contains' ? text.includes(expected) : text.startsWith(expected)
}

/** Ids are numbers at some providers and texts at others. */
const isSame = (actual: FilterValue, expected: FilterValue) =>
  actual === null || expected === null ? actual === expected : String(actual) === String(expected)

function fieldOf(field: FilterField, provider: string, event: FilteredEvent): FilterValue {
  const { actor, resource } = event
  const values: Record<FilterField, FilterValue> = {
    provider,
    event: event.eventKey,
    change: event.change,
    text: event.text,
    thread: event.thread,
    'actor.id': actor.id,
    'actor.name': actor.name,
    'actor.bot': actor.isBot,
    'resource.type': resource?.type ?? null,
    'resource.id': resource?.id ?? null,
    'resource.url': resource?.url ?? null,
  }
  return values[field]
}
