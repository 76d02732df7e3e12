import { z } from 'zod'

/** As the database writes it: ids are compared as texts, and an id means the same in either case. */
export const Id = z.uuid().toLowerCase()
/** As a document has it, which is hashed as it was sent. */
export const WrittenId = z.uuid()
export const Timestamp = z.iso.datetime({ precision: 3 })
/** A time that somebody writes, in whatever zone they like. */
export const GivenTime = z.iso.datetime({
  error: 'must be an ISO 8601 time, such as 2027-01-31T12:00:00Z',
  offset: true,
})

/** Text of `min` to `max` Unicode code points that every part of the system, PostgreSQL included, can hold. */
export function text(min: number, max: number, options: { trim?: boolean } = {}) {
  const rule =
    min > 0 ? `must be ${min} to ${count(max)} characters` : `must be at most ${count(max)} characters`
  const base = z.string({
    error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string'),
  })
  return (options.trim === false ? base : base.trim())
    .refine((value) => isStorable(value), 'must not contain NUL or broken Unicode characters')
    .refine((value) => within(value, min, max), rule)
    .meta({ minLength: min, maxLength: max })
}

/** A free-form JSON object of at most `maxBytes` of UTF-8 and `maxDepth` levels, the object itself being the first. */
export function jsonObject(maxBytes: number, maxDepth = 12) {
  return z
    .record(z.string(), z.unknown(), { error: 'must be an object' })
    .refine((value) => !isDeeper(value, maxDepth), {
      error: `must be nested at most ${maxDepth} levels deep`,
      abort: true,
    })
    .refine((value) => bytes(value) <= maxBytes, `must be at most ${count(maxBytes)} bytes of JSON`)
    .refine(everyTextStorable, 'must not contain NUL or broken Unicode characters')
    .refine(everyNumberFinite, 'must not contain numbers beyond 1.8e308')
    .describe(`At most ${count(maxBytes)} bytes of JSON, nested at most ${maxDepth} levels deep`)
}

/** A page of the dashboard to go on to; anything that could lead elsewhere is refused. */
export const NextPath = text(1, 500).refine(
  (path) => /^\/(?![/\\])[^\s\\]*$/.test(path),
  'must be a path on this server, such as /feedback',
)

/** A whole number that arrives as query text. */
export const queryInteger = (min: number, max: number, fallback: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${count(max)}`)
    .default(fallback)

/** Yes or no that arrives as query text. */
export const queryFlag = () =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((value) => value === 'true')

/** Labels, trimmed and distinct, in the order given. */
export const tags = () =>
  z
    .array(text(1, 80))
    .max(30, 'must be at most 30 tags')
    .transform((list) => [...new Set(list)])

export const cursorQuery = {
  limit: queryInteger(1, 100, 50),
  cursor: z.string().max(1000).optional().describe('The `nextCursor` of the page before'),
}

/** A page of a cursor list. */
export const cursorPage = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

/** The longest text in UTF-16 units is twice its code points, so most values are settled without a walk. */
function within(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > max * 2) return false
  if (value.length <= max && min <= 1) return true
  let points = 0
  for (const _ of value) points++
  return points >= min && points <= max
}

const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

function everyTextStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, child]) => isStorable(key) && everyTextStorable(child))
}

/** JSON can write numbers that its readers cannot hold: they would be kept as null. */
function everyNumberFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(everyNumberFinite)
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** Stops at `levels`, so that hostile nesting cannot exhaust the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((child) => isDeeper(child, levels - 1))
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
