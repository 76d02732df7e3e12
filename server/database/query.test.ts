import { describe, expect, test } from 'vitest'
import { Query, type Runner, type Statement } from './query.ts'
import { createSql } from './sql.ts'
import type { EncodedValue } from './values.ts'

interface Sent {
  statement: Statement
  values: EncodedValue[]
}

/** Records the statements instead of sending them. */
function recorder() {
  const sent: Sent[] = []
  const runner: Runner = {
    run: async (statement, values) => {
      sent.push({ statement, values })
      return []
    },
    readBatches: () => {
      throw new Error('not used here')
    },
  }
  return { sql: createSql(runner), sent }
}

describe('a query', () => {
  test("numbers its fragments' parameters in text order", async () => {
    const { sql, sent } = recorder()
    const condition = sql`a = ${1} and ${sql('t.b')} = ${'two'}`
    await sql`select ${sql(['x', 'y"z'])} from t where ${condition} limit ${3}`
    expect(sent).toMatchObject([
      {
        statement: { text: 'select "x","y""z" from t where a = $1 and "t"."b" = $2 limit $3' },
        values: ['1', 'two', '3'],
      },
    ])
  })

  test('composes its text once per shape', async () => {
    const { sql, sent } = recorder()
    const read = (id: string, filter: string | null) =>
      sql`select from t where id = ${id} ${filter === null ? sql`` : sql`and name = ${filter}`}`
    for (const [id, filter] of [
      ['1', null],
      ['2', null],
      ['3', 'x'],
      ['4', 'y'],
    ] as const)
      await read(id, filter)
    const [first, second, third, fourth] = sent.map(({ statement }) => statement)
    expect(second).toBe(first)
    expect(fourth).toBe(third)
    expect(third).not.toBe(first)
    expect(third!.name).not.toBe(first!.name)
    expect(sent.map(({ values }) => values)).toEqual([['1'], ['2'], ['3', 'x'], ['4', 'y']])
  })

  test('joins a list of fragments', async () => {
    const { sql, sent } = recorder()
    const filters = ['a', 'b'].map((name) => sql`and ${sql(name)} = ${name}`)
    await sql`select from t where true ${filters}`
    expect(sent[0]).toMatchObject({
      statement: { text: 'select from t where true and "a" = $1 and "b" = $2' },
      values: ['a', 'b'],
    })
  })

  test("declares parameter types that PostgreSQL can't infer from text", async () => {
    const { sql, sent } = recorder()
    const at = new Date('2026-11-18T00:00:00Z')
    await sql`select ${true}, ${at}, ${Buffer.from('x')}, ${5n}, ${sql.json({ a: 1 })}, ${'text'}, ${[1, null]}, ${null}`
    expect(sent[0]).toEqual({
      statement: expect.objectContaining({ types: [16, 1184, 17, 20, 3802, 0, 0, 0] }),
      values: ['t', '2026-11-18T00:00:00.000Z', Buffer.from('x'), '5', '{"a":1}', 'text', '{"1",NULL}', null],
    })
  })

  test('is a different statement if a parameter has a different type', async () => {
    const { sql, sent } = recorder()
    for (const value of [null, new Date(), null]) await sql`select ${value}`
    const [first, second, third] = sent.map(({ statement }) => statement)
    expect(second).not.toBe(first)
    expect(third).toBe(first)
  })

  test.each([
    ['undefined', undefined],
    ['an object that is not marked as JSON', { a: 1 }],
    ['undefined in an array', [undefined]],
  ])('refuses %s', async (_, value) => {
    const { sql, sent } = recorder()
    await expect(sql`select ${value as never}`).rejects.toThrow(TypeError)
    expect(sent).toEqual([])
  })

  test("is sent once however often it's awaited, and never as a fragment", async () => {
    const { sql, sent } = recorder()
    const fragment = sql`true`
    const query = sql`select ${fragment}`
    expect(sent).toEqual([])
    await Promise.all([query, query])
    await query
    expect(sent).toHaveLength(1)
    expect(fragment).toBeInstanceOf(Query)
  })
})
