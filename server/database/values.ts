/** Sent as `jsonb`. */
export class Json {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null

/** PostgreSQL infers types for texts, numbers, nulls and arrays. */
export type Value = Scalar | Json | readonly (Scalar | object)[]

/** As sent: text, bytes in binary format, or NULL. */
export type EncodedValue = string | Buffer | null

/** By their letter in a statement's shape. */
export const PARAMETER_TYPES = { '?': 0, b: 16, x: 17, i: 20, t: 1184, j: 3802 } as const
export type ParameterType = keyof typeof PARAMETER_TYPES

export function parameterType(value: unknown): ParameterType {
  if (typeof value === 'boolean') return 'b'
  if (typeof value === 'bigint') return 'i'
  if (typeof value !== 'object') return '?'
  if (value instanceof Date) return 't'
  if (value instanceof Json) return 'j'
  return value instanceof Uint8Array ? 'x' : '?'
}

export function encodeValue(value: unknown): EncodedValue {
  if (typeof value === 'string') return value
  if (value === null) return null
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Json) return value.value === null ? null : encodeJson(value.value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return `{${value.map(encodeElement).join(',')}}`
  throw new TypeError(
    `A statement cannot have ${value === undefined ? 'undefined' : 'an object'} as a parameter`,
  )
}

function encodeJson(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`A ${typeof value} has no representation in JSON`)
  return text
}

/** `{"a","b c",NULL}`: every element has quotes, with a backslash before `"` and `\`. */
function encodeElement(element: unknown): string {
  if (element === undefined) throw new TypeError('An array in a statement cannot contain undefined')
  return element === null ? 'NULL' : `"${elementText(element).replace(/["\\]/g, '\\$&')}"`
}

function elementText(element: unknown): string {
  if (element instanceof Date) return element.toISOString()
  if (element instanceof Uint8Array) return `\\x${Buffer.from(element).toString('hex')}`
  return typeof element === 'object' ? JSON.stringify(element) : String(element as string | number | boolean)
}

export type Parse = (text: string) => unknown

const parseBoolean: Parse = (text) => text === 't'
const parseBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex')
const parseJson: Parse = (text) => JSON.parse(text)
const keepText: Parse = (text) => text

/** Parses `2026-11-15 02:03:44.2+00` to ISO 8601 with milliseconds. Slicing takes a fifth of a `Date`'s time. */
const parseTimestamp: Parse = (text) => {
  const end = text.length - '+00'.length
  const milliseconds = end > 19 ? text.slice(20, Math.min(end, 23)).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

/** By type oid, fixed for built-in types. All other types are read as text. */
const SCALARS = new Map<number, Parse>([
  [16, parseBoolean],
  [17, parseBytes],
  [20, Number],
  [21, Number],
  [23, Number],
  [26, Number],
  [114, parseJson],
  [700, Number],
  [701, Number],
  [1184, parseTimestamp],
  [3802, parseJson],
])

/** One-dimensional array oids, and how to read their elements. */
const ELEMENTS = new Map<number, Parse>([
  [199, parseJson],
  [1000, parseBoolean],
  [1003, keepText],
  [1005, Number],
  [1007, Number],
  [1009, keepText],
  [1016, Number],
  [1022, Number],
  [1185, parseTimestamp],
  [2951, keepText],
  [3807, parseJson],
])

const PARSERS = new Map<number, Parse>([
  ...SCALARS,
  ...[...ELEMENTS].map(([oid, parse]) => [oid, (text: string) => parseArray(text, parse)] as const),
])

/** Undefined for types that stay text. */
export const parserFor = (oid: number): Parse | undefined => PARSERS.get(oid)

function parseArray(text: string, parse: Parse): unknown[] {
  const inside = text.slice(1, -1)
  if (inside === '') return []
  if (!inside.includes('"')) return inside.split(',').map((element) => parseElement(element, parse))
  return inside
    .match(ELEMENT)!
    .map((element) =>
      element.startsWith('"')
        ? parse(element.slice(1, -1).replace(/\\(.)/gs, '$1'))
        : parseElement(element, parse),
    )
}

const ELEMENT = /"(?:[^"\\]|\\.)*"|[^,]+/gs

const parseElement = (text: string, parse: Parse): unknown => (text === 'NULL' ? null : parse(text))
