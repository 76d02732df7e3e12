import { afterAll, beforeAll, expect, test } from 'vitest'
import { markdownBlocks } from '../../../../markdown/text-blocks.ts'
import { newId } from '../../../security/ids.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { lockSource, replacePassages } from './store.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('a file of random letters fills the dictionary only up to its limit', async () => {
  const { org } = await app.newUser()
  const text = Array.from({ length: 400_000 }, (_, n) => `w${n.toString(36)}`).join(' ')
  await app.sql.begin(async (sql) => {
    const id = await lockSource(sql, org.id, { type: 'file', itemId: newId(), scopeId: org.id }, org.id)
    const content = { spaceId: org.id, version: 1, title: 'Random', text: markdownBlocks(text) }
    await replacePassages(sql, org.id, id, content)
  })
  const [row] = await app.sql<{ words: number; truncated: boolean; passages: number; stored: number }[]>`
    select s.truncated, s.passages,
      (select count(*)::int from passages p where p.org_id = s.org_id) as stored,
      (select count(*)::int from passage_terms t where t.org_id = s.org_id and t.lexeme like '=%') as words
    from passage_sources s where s.org_id = ${org.id}`
  expect(row!.words).toBeGreaterThan(190_000)
  expect(row!.words).toBeLessThan(250_000)
  expect([row!.truncated, row!.passages]).toEqual([true, row!.stored])
}, 300_000)
