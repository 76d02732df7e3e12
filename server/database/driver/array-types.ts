import type postgres from 'postgres'

type Parse<T> = (text: string) => T

/** Oids of arrays, which are the same in every PostgreSQL, and how an element is parsed. */
const ARRAYS = {
  json: [199, JSON.parse],
  booleans: [1000, (text: string) => text === 't'],
  names: [1003, (text: string) => text],
  smallints: [1005, Number],
  integers: [1007, Number],
  texts: [1009, (text: string) => text],
  bigints: [1016, Number],
  doubles: [1022, Number],
  uuids: [2951, (text: string) => text],
  jsonb: [3807, JSON.parse],
} as const satisfies Record<string, readonly [number, Parse<unknown>]>

const TIMESTAMPS = 1185

/**
 * One-dimensional arrays. The driver would ask each new connection for the types of all arrays, and leave the failure
 * of that statement unhandled: a connection that is lost while it opens would end the process.
 */
export function arrayTypes(parseTimestamp: Parse<string>): Record<string, postgres.PostgresType> {
  const arrays = [...Object.values(ARRAYS), [TIMESTAMPS, parseTimestamp] as const]
  return Object.fromEntries(arrays.map(([oid, parse]) => [`array${oid}`, arrayType(oid, parse)]))
}

const arrayType = (oid: number, parse: Parse<unknown>): postgres.PostgresType => ({
  to: oid,
  from: [oid],
  serialize: serializeArray,
  parse: (text: string) => parseArray(text, parse),
})

/** `{a,"b c",NULL}`: quotes are around every element that needs them, and a backslash is before `"` and `\` in them. */
function serializeArray(values: unknown[] | string): string {
  // After a change of the schema, the driver executes the statement again and serializes its array a second time.
  return typeof values === 'string' ? values : `{${values.map(serializeElement).join(',')}}`
}

function serializeElement(value: unknown): string {
  if (value === undefined) throw new TypeError('undefined in an array of PostgreSQL')
  if (value === null) return 'NULL'
  return `"${textOf(value).replace(/["\\]/g, '\\$&')}"`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

function parseArray<T>(text: string, parse: Parse<T>): (T | null)[] {
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

const parseElement = <T>(text: string, parse: Parse<T>): T | null => (text === 'NULL' ? null : parse(text))
