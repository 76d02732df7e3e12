import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type EndpointName, endpointsByName } from '../../contract/index.ts'
import { shareTestApp, type TestApp } from '../testing/test-app.ts'
import { COVERED, COVERED_IN_RUNS, OUTSIDE_ACTIONS } from './actions/reachable.ts'
import { READ_TEXTS, WRITTEN_TEXTS } from './text-authors.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

interface JsonSchema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

/** The paths of the fields of a schema that hold free text: no ids, times and constants. */
function textsIn(schema: z.ZodType, io: 'input' | 'output'): string[] {
  const found = new Set<string>()
  visit(z.toJSONSchema(schema, { unrepresentable: 'any', io, reused: 'inline' }) as JsonSchema, [])
  return [...found].toSorted()

  function visit(part: JsonSchema, path: string[]): void {
    const options = [part.anyOf, part.oneOf, part.allOf].flatMap((list) => list ?? [])
    for (const option of options) visit(option, path)
    for (const [name, field] of Object.entries(part.properties ?? {})) visit(field, [...path, name])
    if (part.items) visit(part.items, path)
    if (typeof part.additionalProperties === 'object') visit(part.additionalProperties, [...path, '*'])
    if (isText(part, options.length > 0))
      found.add(path.filter((name, n) => n > 0 || name !== 'items').join('.'))
  }
}

function isText(
  { type, format, enum: values, const: constant, properties, items }: JsonSchema,
  isUnion: boolean,
) {
  if (values || constant !== undefined || format === 'uuid' || format === 'date-time') return false
  if (type === undefined) return !isUnion && !properties && !items
  return [type].flat().includes('string')
}

const endpoints = Object.entries(endpointsByName) as [EndpointName, Endpoint][]
const isForGuests = ({ access, method }: Endpoint) =>
  access.kind === 'member' && access.share !== undefined && method !== 'GET'

const read = endpoints.filter(([name, { tool }]) => tool !== undefined || name === 'search.find')
const written = endpoints.filter(([, endpoint]) => endpoint.tool === 'write' || isForGuests(endpoint))

describe('text author table', () => {
  test.each(read)('names every text in the %s response', (name, { output }) => {
    const texts = textsIn(output, 'output').filter((path) => path !== '')
    expect(Object.keys(READ_TEXTS[name] ?? {}).toSorted()).toEqual(texts)
  })

  test.each(written)('names every text in the %s body', (name, { body }) => {
    expect(WRITTEN_TEXTS[name], 'add the endpoint to WRITTEN_TEXTS').toBeDefined()
    const texts = body ? textsIn(body, 'input').filter((path) => path !== '') : []
    expect(Object.keys(WRITTEN_TEXTS[name]!).toSorted()).toEqual(texts)
  })

  test('has no endpoint that tools and guests cannot reach', () => {
    const names = (list: typeof endpoints) => new Set<string>(list.map(([name]) => name))
    expect(Object.keys(READ_TEXTS).filter((name) => !names(read).has(name))).toEqual([])
    expect(Object.keys(WRITTEN_TEXTS).filter((name) => !names(written).has(name))).toEqual([])
  })

  test('has a database trigger for each tracked field', async () => {
    const rows = await app.sql<{ table: string; definition: string }[]>`
      select tgrelid::regclass::text as table, pg_get_triggerdef(oid) as definition from pg_trigger
      where tgname = 'text_origins_inserted'`
    const triggers = rows.flatMap(({ table, definition }) =>
      [...definition.matchAll(/'(\w+)'/g)].map(([, field]) => `${table}.${field}`),
    )
    const tracked = [READ_TEXTS, WRITTEN_TEXTS]
      .flatMap((table) => Object.values(table))
      .flatMap((fields) => Object.values(fields))
      .filter((author) => author.includes('.'))
    expect([...new Set(tracked)].toSorted()).toEqual(triggers.toSorted())
  })

  test('calls a response fenced only if the action or tool always fences it', () => {
    const byTools = new Set<string>([
      ...Object.values(COVERED).flat(),
      ...Object.values(COVERED_IN_RUNS).flat(),
    ])
    const isFenced = (name: string) =>
      byTools.has(name) || OUTSIDE_ACTIONS[name as EndpointName] !== undefined || name === 'search.find'
    const fenced = Object.entries(READ_TEXTS)
      .filter(([, fields]) => Object.values(fields).includes('fenced'))
      .map(([name]) => name)
    expect(fenced.filter((name) => !isFenced(name))).toEqual([])
  })
})
