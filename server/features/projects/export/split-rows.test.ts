import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitRows } from './split-rows.ts'

const split = (text: string) => splitRows(Buffer.from(text))
const whole = (text: string) => {
  const { rest, rowTexts } = split(text)
  const manifest = JSON.parse(rest)
  for (const [index, table] of [manifest.tables].flat().entries())
    if (Array.isArray(table?.rows)) table.rows = [...rowTexts(index)].map((row) => JSON.parse(row))
  return manifest
}

const jsonWithSpaces = fc
  .record({
    name: fc.json(),
    tables: fc.array(
      fc.record(
        { id: fc.json(), rows: fc.array(fc.json(), { maxLength: 4 }), views: fc.json() },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
    spaces: fc.constantFrom(undefined, 1, '\t'),
  })
  .map(({ name, tables, spaces }) => {
    const parsed = tables.map(({ id, rows, views }) => ({
      ...(id !== undefined && { id: JSON.parse(id) }),
      ...(rows && { rows: rows.map((row) => JSON.parse(row)) }),
      ...(views !== undefined && { views: JSON.parse(views) }),
    }))
    return JSON.stringify({ before: JSON.parse(name), tables: parsed, after: [{ rows: [1] }] }, null, spaces)
  })

test('a split text has the same content in its parts', () => {
  fc.assert(
    fc.property(jsonWithSpaces, (text) => {
      expect(whole(text)).toEqual(JSON.parse(text))
    }),
  )
})

test('rows are not in the rest of the text, whatever their strings contain', () => {
  const row = { id: 'a', values: { name: '"}],[{\\', other: 'ü\u2028' } }
  const { rest, rowTexts } = split(JSON.stringify({ tables: [{ rows: [row, row], name: '"rows":[1]' }] }))
  expect(JSON.parse(rest)).toEqual({ tables: [{ rows: [], name: '"rows":[1]' }] })
  expect([...rowTexts(0)].map((text) => JSON.parse(text))).toEqual([row, row])
})

test('rows are found under an escaped name', () => {
  expect(JSON.parse(split('{"t\\u0061bles":[{"r\\u006fws":[1,2]}]}').rest)).toEqual({
    tables: [{ rows: [] }],
  })
})

test.each([
  ['{"tables":[{"rows":[1]}],"tables":[{"rows":[2]}]}', 'body.tables is given twice'],
  ['{"tables":[{"rows":[1],"rows":[2]}]}', 'body.tables.0.rows is given twice'],
])('a list given twice is refused: %s', (text, message) => {
  expect(() => split(text)).toThrow(message)
})

test.each([
  '',
  '{',
  '{"tables":[{"rows":[1',
  '{"tables" 1}',
  '{"tables":[{} {}]}',
  '{"a":"\\',
  '{"a":]}',
  '{,}',
])('what is not JSON is refused: %s', (text) => {
  expect(() => whole(text)).toThrow()
})

test('deep nesting does not exhaust the stack', () => {
  const deep = '['.repeat(1_000_000)
  expect(() => split(`{"tables":[{"rows":[${deep}`)).toThrow('The body is not valid JSON')
})
