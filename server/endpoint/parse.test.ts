import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/index.ts'
import { compileParser } from './parse.ts'

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

const parse = (endpoint: Endpoint, body: unknown) =>
  compileParser({ ...endpoint, params: undefined })({
    caller: null,
    origin: { ip: '192.0.2.1', userAgent: null, baseUrl: 'http://localhost', flowSecret: null },
    params: {},
    query: {},
    body,
  })

const WITHOUT_BODY = endpoints.filter(({ method, body, raw, query }) => {
  const needsQuery = query && !query.safeParse({}).success
  return method !== 'GET' && !body && !raw && !needsQuery
})

test.each(WITHOUT_BODY.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s, which has no body, rejects an unknown field and accepts an empty body',
  (_, endpoint) => {
    expect(() => parse(endpoint, { unknown: true })).toThrow('body.unknown is not a known field')
    expect(() => parse(endpoint, undefined)).not.toThrow()
    expect(() => parse(endpoint, {})).not.toThrow()
  },
)

test('names the first problem of a body with tens of thousands of values, and at most 100 of another', () => {
  const restore = endpoints.find(({ path }) => path.endsWith('/restore') && path.includes('projectId'))!
  const problems = (body: unknown): unknown[] => {
    try {
      parse(restore, body)
      return []
    } catch (error) {
      return (error as { details: unknown[] }).details
    }
  }
  expect(problems({ files: Array(90_000).fill({}) })).toHaveLength(1)
  const unknown = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`field${index}`, 1]))
  expect(problems(unknown)).toHaveLength(100)
})

interface Part {
  path: string
  schema: z.core.$ZodType
}

/** Every schema inside an input. */
function partsOf({ path, schema }: Part): Part[] {
  const { def } = schema._zod as unknown as { def: Record<string, unknown> }
  const inner = ['innerType', 'element', 'in', 'out', 'valueType', 'left', 'right'].map((name) => def[name])
  const fields = Object.entries((def.shape ?? {}) as Record<string, z.core.$ZodType>)
  return [
    { path, schema },
    ...fields.flatMap(([name, field]) => partsOf({ path: `${path}.${name}`, schema: field })),
    ...[...inner, ...((def.options as unknown[]) ?? [])]
      .filter((part) => part instanceof z.core.$ZodType)
      .flatMap((part) => partsOf({ path, schema: part })),
  ]
}

const INPUTS = endpoints.flatMap((endpoint) =>
  [endpoint.body, endpoint.query, endpoint.multipart].flatMap((schema) =>
    schema ? [{ path: nameOf(endpoint), schema }] : [],
  ),
)

test('every object inside an input rejects unknown fields', () => {
  // The parser closes the outermost object of an input.
  const nestedParts = INPUTS.flatMap(({ path, schema }) => {
    const top = schema instanceof z.ZodOptional ? schema.unwrap() : schema
    return partsOf({ path, schema }).filter((part) => part.schema !== schema && part.schema !== top)
  })
  const openObjects = nestedParts.filter(
    ({ schema }) => schema instanceof z.ZodObject && !schema.def.catchall,
  )
  expect(openObjects.map(({ path }) => path)).toEqual([])
})

const UNSTORABLE = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:60Z',
  '2027-02-30T00:00:00Z',
  '2027-01-31T24:00:00Z',
  '+010000-01-01T00:00:00Z',
  'infinity',
]

const isTime = ({ schema }: Part) => schema instanceof z.ZodISODateTime
const TIMES = INPUTS.flatMap(partsOf).filter(isTime)

test("every time in an input rejects values that can't be stored", () => {
  expect(TIMES.length).toBeGreaterThan(0)
  for (const { path, schema } of TIMES) {
    for (const value of UNSTORABLE) {
      expect([path, value, z.safeParse(schema, value).success]).toEqual([path, value, false])
    }
    for (const value of ['1970-01-01T00:00:00Z', '2027-01-31T12:00:00+02:00', '9999-12-31T23:59:59.999Z']) {
      expect([path, value, z.safeParse(schema, value).success]).toEqual([path, value, true])
    }
  }
})

test('an invalid discriminator is rejected with its valid values', () => {
  const body = z.discriminatedUnion('method', [
    z.strictObject({ method: z.literal('password'), password: z.string() }),
    z.strictObject({ method: z.literal('code'), code: z.string() }),
  ])
  const endpoint = { ...endpoints[0]!, method: 'POST', query: undefined, body } as Endpoint
  for (const value of [{ method: 'fax' }, {}])
    expect(() => parse(endpoint, value)).toThrow('body.method must be one of password, code')
})
