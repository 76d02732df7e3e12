import { isUtf8 } from 'node:buffer'
import { exceedsDepth } from '../../security/json-depth.ts'

/** Deeper JSON is shown as text: recursive client parsers would fail. */
const DEPTH_MAX = 200
/** A double may not represent 16 digits or more, or a three-digit exponent. */
const INEXACT_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{3}/

/** JSON stays verbatim, so no number, key or escape changes. Anything else becomes a string. */
export function toJsonText(body: Uint8Array): string {
  const text = textOf(body)
  return isUtf8(body) && parse(text) !== undefined ? text : JSON.stringify(text)
}

/** Keeps numbers as sent. Anything but JSON becomes text. */
export function parsePayload(body: Uint8Array): unknown {
  const text = textOf(body)
  const value = INEXACT_NUMBER.test(text) ? parseExactly(text) : parse(text)
  return value === undefined || exceedsDepth(value, DEPTH_MAX) ? text : value
}

export function exactNumber(text: string, field: string): string | undefined {
  const value = (parseExactly(text) as Record<string, unknown> | undefined)?.[field]
  return value === undefined ? undefined : JSON.stringify(value)
}

export const toRawContent = (body: Uint8Array) =>
  isUtf8(body)
    ? { encoding: 'utf8' as const, content: textOf(body) }
    : { encoding: 'base64' as const, content: Buffer.from(body).toString('base64') }

const textOf = (body: Uint8Array) =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')

function parse(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver as never)
  } catch {
    return undefined
  }
}

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown

/** ECMAScript's source text access, missing from the type definitions. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object }

const parseExactly = (text: string) =>
  parse(text, (_key, value, { source }) =>
    typeof value === 'number' && String(value) !== source ? rawJSON(source) : value,
  )
