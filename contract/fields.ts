import { z } from 'zod'

/** Lowercase as PostgreSQL returns it: ids are compared as strings. */
export const Id = z.uuid().toLowerCase()
/** For documents with a hash over the exact spelling. */
export const VerbatimId = z.uuid()
export const Timestamp = z.iso.datetime({ precision: 3 })
/** In any time zone. Times outside 1970 to 9999 can't be stored or returned. */
export const TimestampInput = z.iso
  .datetime({ error: 'must be an ISO 8601 time, such as 2027-01-31T12:00:00Z', offset: true, abort: true })
  .refine((time) => Date.parse(time) >= 0 && Date.parse(time) <= TIME_MAX, 'must be a time from 1970 to 9999')
const TIME_MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** `min` to `max` Unicode code points that PostgreSQL can store. */
export function text(min: number, max: number, options: { trim?: boolean; normalize?: boolean } = {}) {
  const rule =
    min > 0
      ? `must be ${min === max ? '' : `${min} to `}${formatNumber(max)} characters`
      : `must be at most ${formatNumber(max)} characters`
  const base = z.string({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string'),
  })
  const trimmed = options.trim === false ? base : base.trim()
  return (options.normalize ? trimmed.normalize('NFC') : trimmed)
    .refine((value) => isStorable(value), 'must not contain NUL or broken Unicode characters')
    .refine((value) => hasLength(value, min, max), rule)
    .meta({ minLength: min, maxLength: max })
}

/** Bytes in JSON. */
export const Base64 = z.base64({
  error: (issue) => (issue.input === undefined ? 'is required' : 'must be base64'),
})

/** No limit covers guesses from all networks together, so the password must be long enough to resist them. */
export const LinkPassword = text(12, 200, { trim: false })

export const TimeZone = text(1, 64)
  .refine(isTimeZone, 'must be a time zone name, such as Europe/Berlin')
  .meta({ examples: ['Europe/Berlin'] })

/** An offset such as +01:00 isn't a name. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** At most `maxBytes` in UTF-8 and `maxDepth` levels, counting the object itself. */
export function jsonObject(maxBytes: number, maxDepth = 12) {
  return z
    .record(z.string(), z.unknown(), { error: 'must be an object' })
    .refine((value) => !exceedsDepth(value, maxDepth), {
      error: `must be nested at most ${maxDepth} levels deep`,
      abort: true,
    })
    .refine(
      (value) => jsonBytes(value) <= maxBytes,
      `must be at most ${formatNumber(maxBytes)} bytes of JSON`,
    )
    .refine(everyStringStorable, 'must not contain NUL or broken Unicode characters')
    .refine(everyNumberFinite, 'must not contain numbers beyond 1.8e308')
    .describe(`At most ${formatNumber(maxBytes)} bytes of JSON, nested at most ${maxDepth} levels deep`)
}

/** Any JSON value that can be stored. */
export const jsonValue = (maxDepth = 12) =>
  z
    .unknown()
    .refine((value) => !exceedsDepth(value, maxDepth), {
      error: `must be nested at most ${maxDepth} levels deep`,
      abort: true,
    })
    .refine(everyStringStorable, 'must not contain NUL or broken Unicode characters')
    .refine(everyNumberFinite, 'must not contain numbers beyond 1.8e308')

/** Refuses anything a browser could resolve to another site. */
export const NextPath = text(1, 4000).refine(
  (path) => /^\/(?![/\\])[^\s\\]*$/.test(path),
  'must be a path on this server, such as /feedback',
)

export const queryInteger = (min: number, max: number, fallback: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${formatNumber(max)}`)
    .default(fallback)

export const queryFlag = () =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true')

/** Trims and deduplicates, in request order. */
export const tags = () =>
  z
    .array(text(1, 80))
    .max(30, 'must have at most 30 tags')
    .transform((list) => [...new Set(list)])

export const cursorQuery = {
  limit: queryInteger(1, 100, 50),
  cursor: z.string().max(1000).optional().describe('`nextCursor` from the previous page'),
}

export const cursorPage = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

/** A code point has at most two UTF-16 units, so most values need no counting. */
function hasLength(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > max * 2) return false
  if (value.length <= max && min <= 1) return true
  let points = 0
  for (const _ of value) points++
  return points >= min && points <= max
}

const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

function everyStringStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, child]) => isStorable(key) && everyStringStorable(child))
}

/** JSON can express numbers that overflow a double; they would be stored as null. */
function everyNumberFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(everyNumberFinite)
}

const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** Recurses at most `levels` deep, so hostile nesting can't exhaust the stack. */
function exceedsDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((child) => exceedsDepth(child, levels - 1))
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}
