import { afterAll, beforeAll, expect, test } from 'vitest'
import { countReads, expectFewReads } from '../../../testing/clients/reads.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { listForContext, listMessages } from './message-queries.ts'

const MESSAGES = 10_000
const LIMIT = 50

let app: TestApp
let orgId: string
let sessionId: string
let client: Awaited<ReturnType<TestApp['newUser']>>['client']
beforeAll(async () => {
  app = await buildTestApp()
  const newUser = await app.newUser()
  const { org, person } = newUser
  client = newUser.client
  orgId = org.id
  sessionId = (await client.sessions.create({ projectId: (await app.project(person)).id })).id
  await app.sql`
    insert into messages (org_id, session_id, seq, id, role, content, body, trust, created_at)
    select ${orgId}, ${sessionId}, n, gen_random_uuid(), 'user', '[]', 'A message' || case n when 7 then ' of a zebra' else '' end,
      'trusted', now()
    from generate_series(1, ${MESSAGES}::int) n`
  await app.sql`vacuum analyze messages`
})
afterAll(() => app.close())

test.each([
  ['newest', null],
  ['newest', MESSAGES / 2],
  ['oldest', 0],
  ['oldest', MESSAGES / 2],
] as const)("listing the %s messages from %s reads only one page's rows", (order, from) =>
  expectFewReads(app.sql, ['messages'], LIMIT, (sql) =>
    listMessages(sql, orgId, sessionId, { order, from, limit: LIMIT }),
  ),
)

test('the context after a summary reads only the messages after it and the first message', async () => {
  const summarized = MESSAGES - LIMIT
  await expectFewReads(app.sql, ['messages'], LIMIT, (sql) =>
    listForContext(sql, orgId, sessionId, summarized),
  )
  await expectFewReads(app.sql, ['messages'], 1, (sql) => listForContext(sql, orgId, sessionId, 0, 1))
})

test('a search finds a session by a word in every message or in just one, and by no other', async () => {
  const findMatches = async (search: string) =>
    (await client.sessions.list({ search })).items.map(({ id, match }) => [id, match])
  expect(await findMatches('message')).toEqual([[sessionId, 'A message']])
  expect(await findMatches('zebra')).toEqual([[sessionId, 'A message of a zebra']])
  expect(await findMatches('giraffe')).toEqual([])
})

test('a search finds a session by its title alone, including by a word prefix', async () => {
  const { id, projectId } = await client.sessions.get({ id: sessionId })
  const other = await client.sessions.create({ projectId, title: 'Harbor lease' })
  const find = async (search: string) =>
    (await client.sessions.list({ search })).items.map((item) => [item.id, item.match])
  expect(await find('harbor lease')).toEqual([[other.id, null]])
  expect(await find('harb')).toEqual([[other.id, null]])
  // A word in most messages takes another path than a rare one.
  const common = await client.sessions.create({ projectId, title: 'The message board' })
  expect((await find('message')).toSorted()).toEqual(
    [
      [common.id, null],
      [id, 'A message'],
    ].toSorted(),
  )
})

test('the measurement detects a statement that reads every row', async () => {
  const { rows } = await countReads(app.sql, ['messages'], (sql) => sql`select max(body) from messages`)
  expect(rows).toBe(MESSAGES)
})
