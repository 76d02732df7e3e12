import { afterAll, beforeAll, expect, test } from 'vitest'
import { markdownBlocks } from '../../../../markdown/text-blocks.ts'
import { newId } from '../../../security/ids.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { lockSource, removeSource, replacePassages } from './store.ts'

/** Without a worker: each transaction here ends where a killed one would. */
let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const textOf = (n: number) =>
  Array.from(
    { length: 400 },
    (_, index) => `Sentence ${index} of edition ${n} names word${(index * n) % 37}.`,
  ).join(' ')

/** Counts as they would be if everything was indexed anew. */
const counted = async (orgId: string) => {
  const [row] = await app.sql<{ stored: unknown; actual: unknown }[]>`
    select (
      select jsonb_agg(jsonb_build_array(t.lexeme, t.space_id, t.passages) order by t.lexeme, t.space_id)
      from passage_terms t where t.org_id = ${orgId}
    ) as stored, (
      select jsonb_agg(jsonb_build_array(a.lexeme, a.space_id, a.passages) order by a.lexeme collate "C", a.space_id) from (
        select l.lexeme, p.space_id, count(*) as passages from passages p, unnest(tsvector_to_array(p.tsv)) l (lexeme)
        where p.org_id = ${orgId} group by l.lexeme, p.space_id) a
    ) as actual`
  return row!
}

test('an indexing that is killed anywhere leaves every passage and count exactly once', async () => {
  const { org } = await app.newUser()
  const spaces = [org.id, newId()]
  const key = { type: 'memory' as const, itemId: newId(), scopeId: org.id }
  const index = (sql: Parameters<typeof lockSource>[0], n: number) =>
    lockSource(sql, org.id, key, org.id).then(async (id) => {
      const content = {
        spaceId: spaces[n % 2]!,
        version: n,
        title: `Edition ${n}`,
        text: markdownBlocks(textOf(n)),
      }
      await replacePassages(sql, org.id, id, content)
      return id
    })
  let passages = 0
  for (let n = 1; n <= 20; n++) {
    const isKilled = n % 3 !== 0
    const done = app.sql.begin(async (sql) => {
      await index(sql, n)
      if (isKilled) throw new Error('killed')
    })
    if (isKilled) await expect(done).rejects.toThrow('killed')
    else await done
    const rows = await app.sql<{ ordinal: number; text: string }[]>`
      select ordinal, text from passages where org_id = ${org.id} order by ordinal`
    const current = Math.floor(n / 3) * 3
    passages = rows.length
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, index) => index))
    expect(rows.every(({ text }) => text.includes(`edition ${current} `))).toBe(true)
    const { stored, actual } = await counted(org.id)
    expect(stored).toEqual(actual)
  }
  expect(passages).toBeGreaterThan(10)
  await app.sql.begin(async (sql) => removeSource(sql, org.id, await lockSource(sql, org.id, key, org.id)))
  const [left] = await app.sql`
    select (select count(*)::int from passages where org_id = ${org.id}) as passages,
      (select count(*)::int from passage_terms where org_id = ${org.id}) as terms,
      (select coalesce(sum(passages), 0)::int from passage_counts where org_id = ${org.id}) as counted,
      (select count(*)::int from passage_sources where org_id = ${org.id}) as sources`
  expect(left).toEqual({ passages: 0, terms: 0, counted: 0, sources: 0 })
})

test('two workers that index the same source at the same time store it once', async () => {
  const { org } = await app.newUser()
  const key = { type: 'memory' as const, itemId: newId(), scopeId: org.id }
  await Promise.all(
    [1, 2, 3].map((n) =>
      app.sql.begin(async (sql) => {
        const id = await lockSource(sql, org.id, key, org.id)
        const content = { spaceId: org.id, version: n, title: '', text: markdownBlocks(textOf(1)) }
        await replacePassages(sql, org.id, id, content)
      }),
    ),
  )
  const rows = await app.sql`select ordinal from passages where org_id = ${org.id} order by ordinal`
  expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, index) => index))
  const { stored, actual } = await counted(org.id)
  expect(stored).toEqual(actual)
})
