import { expect, test } from 'vitest'
import { z } from 'zod'
import { listSchemaFields } from './fields.ts'
import { withoutRepeated } from './repeated-fields.ts'
import type { JsonSchema } from './schema.ts'

const names = [...'abcdefgh']
const Part = z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
const fieldsOf = (schema: z.ZodType) => listSchemaFields(z.toJSONSchema(schema) as JsonSchema)
const place = (anchor: string) => ({ anchor, title: `Title of ${anchor}` })
const pathsOf = (rows: ReturnType<typeof withoutRepeated>) =>
  Array.isArray(rows) ? rows.map(({ field, same }) => (same ? [field.path, same] : field.path)) : rows

test('a record is listed once, and later named where it is in a list, a map, an object or alone', () => {
  const listed = new Map()
  const first = fieldsOf(z.object({ items: z.array(Part), next: z.string() }))
  expect(pathsOf(withoutRepeated(first, listed, place('list')))).toEqual([
    'items',
    ...names.map((name) => `items[].${name}`),
    'next',
  ])
  const same = { ...place('list'), path: 'items[]' }
  const second = z.object({
    one: Part,
    map: z.record(z.string(), z.object({ deep: z.array(Part) })),
    id: z.string(),
  })
  expect(pathsOf(withoutRepeated(fieldsOf(second), listed, place('second')))).toEqual([
    ['one', same],
    'map',
    ['map.*.deep', same],
    'id',
  ])
  expect(withoutRepeated(fieldsOf(Part), listed, place('get'))).toEqual(same)
})

test('a record within a record is listed once, too', () => {
  const listed = new Map()
  const Outer = z.object({ part: Part, other: z.object({ part: Part }) })
  expect(pathsOf(withoutRepeated(fieldsOf(Outer), listed, place('get')))).toEqual([
    'part',
    ...names.map((name) => `part.${name}`),
    'other',
    ['other.part', { ...place('get'), path: 'part' }],
  ])
})

test('records with few fields, and records that differ, are listed again', () => {
  const listed = new Map()
  const few = fieldsOf(Part.pick({ a: true, b: true }))
  const required = fieldsOf(Part)
  const optional = fieldsOf(Part.partial({ a: true }))
  for (const fields of [few, few, required, optional])
    expect(withoutRepeated(fields, listed, place('any'))).toEqual(fields.map((field) => ({ field })))
})
