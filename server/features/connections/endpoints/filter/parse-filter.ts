import { dictionary } from '../../../../../contract/dictionary.ts'
import { FilterError, type Token, tokensOf } from './filter-tokens.ts'

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
 * Parses a filter: `event == "slack.message" and (text contains "help" or actor.name in ["Ada", "Grace"])`. `not` binds more
 * strongly than `and`, and `and` more strongly than `or`. Throws a FilterError with the position of the first mistake.
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
    throw new FilterError(token.at, `Expected ${expected} instead of ${found}`)
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
