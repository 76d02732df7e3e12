import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { cookie, shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

const DAY_MS = 86_400_000

/** Calls of an owner in a private project and of a member with a key in another, on two days. */
async function createTenant() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', name: 'Ada' })
  const member = await app.person(org, { name: 'Ben' })
  const [secretProject, openProject] = [
    await app.project(owner, { name: 'Secret plan', visibility: 'private' }),
    await app.project(owner, { name: 'Open plan' }),
  ]
  const key = await app.key(member)
  const now = app.clock.now()
  const insert = (call: {
    user: string
    project: string
    key: string | null
    cost: string | null
    at: Date
  }) => app.sql`
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, user_id, key_id, provider, model, quantity,
      unit_cost, cost, price_source, at)
    values (${org.id}, ${newId()}, ${call.project}, ${newId()}, 1, 1, 'tokens', ${call.user}, ${call.key}, 'test',
      ${call.cost === null ? '=local/x' : 'openai/gpt-5'}, '{"input": 1000, "output": 10, "cacheRead": 600, "cacheWrite": 300}',
      ${call.cost === null ? null : app.sql.json({ input: 1.25, output: 10, cacheRead: 0.125, cacheWrite: null })}, ${call.cost},
      ${call.cost === null ? 'unknown' : 'table'}, ${call.at})`
  const yesterday = new Date(now.getTime() - DAY_MS)
  await insert({ user: owner.id, project: secretProject.id, key: null, cost: '0.100001', at: yesterday })
  await insert({ user: member.id, project: openProject.id, key: key.id, cost: '0.2', at: yesterday })
  await insert({ user: member.id, project: openProject.id, key: key.id, cost: '0.3', at: now })
  await insert({ user: member.id, project: openProject.id, key: null, cost: null, at: now })
  const days = [yesterday, now].map((time) => time.toISOString().slice(0, 10))
  const ownerClient = await app.withSession(owner)
  const headers = cookie(await app.session(member))
  return { org, owner, member, secretProject, openProject, key, days, ownerClient, headers }
}

test('usage is exact by day and by every property, and members see only their own', async () => {
  const tenant = await createTenant()
  const { ownerClient, headers, days, secretProject, openProject, key, owner, member, org } = tenant
  const all = await ownerClient.usage.get({})
  expect(all).toMatchObject({ groupBy: 'day', isOwn: false, to: days[1] })
  expect(all.total).toEqual({
    cost: { amount: '0.600001', currency: 'USD' },
    ...{ calls: 4, unpricedCalls: 1, inputTokens: 4000, outputTokens: 40 },
    ...{ cacheReadTokens: 2400, cacheWriteTokens: 1200 },
  })
  expect(all.items.map(({ key, cost }) => [key, cost.amount])).toEqual([
    [days[0], '0.300001'],
    [days[1], '0.300000'],
  ])
  const costsBy = async (groupBy: 'project' | 'model' | 'user' | 'key', client = ownerClient) =>
    (await client.usage.get({ groupBy })).items.map(({ key, name, cost }) => [key, name, cost.amount])
  expect(await costsBy('project')).toEqual([
    [openProject.id, 'Open plan', '0.500000'],
    [secretProject.id, 'Secret plan', '0.100001'],
  ])
  expect(await costsBy('user')).toEqual([
    [member.id, 'Ben', '0.500000'],
    [owner.id, 'Ada', '0.100001'],
  ])
  expect(await costsBy('key')).toEqual([
    [key.id, expect.any(String), '0.500000'],
    [null, null, '0.100001'],
  ])
  const admin = await app.withSession(await app.person(org, { role: 'admin' }))
  expect(await costsBy('project', admin)).toContainEqual([secretProject.id, null, '0.100001'])
  const memberClient = app.as(headers)
  expect(await costsBy('user', memberClient)).toEqual([[member.id, 'Ben', '0.500000']])
  const foreign = await memberClient.usage.get({ userId: owner.id })
  expect([foreign.isOwn, foreign.total.cost.amount]).toEqual([true, '0.500000'])
  const { days: series } = await ownerClient.usage.get({ groupBy: 'user' })
  expect(series.map(({ day, groups }) => [day, groups.length])).toEqual([
    [days[0], 2],
    [days[1], 1],
  ])
  const stranger = await createTenant()
  expect((await stranger.ownerClient.usage.get({ projectId: openProject.id })).total.calls).toBe(0)
})

test("a range that is too long or reversed is refused with the field's name", async () => {
  const { ownerClient } = await createTenant()
  for (const range of [
    { from: '2026-01-02', to: '2026-01-01' },
    { from: '2024-01-01', to: '2026-01-01' },
  ])
    await expect(ownerClient.usage.get(range)).rejects.toMatchObject({ details: [{ path: 'query.from' }] })
  await expect(ownerClient.usage.get({ from: 'yesterday' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const { from } = await ownerClient.usage.get({ from: '2026-01-01T23:30:00-05:00', to: '2026-01-03' })
  expect(from).toBe('2026-01-02')
})

test('the export has a line per call, with no text that a spreadsheet evaluates as a formula', async () => {
  const { headers, member, openProject, key } = await createTenant()
  const response = await app.request('GET', '/api/v1/usage/export', { headers })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...lines] = response.text.trimEnd().split('\r\n')
  expect(head).toMatch(/^time,kind,model,project_id,/)
  expect(lines).toHaveLength(3)
  const row = `tokens,openai/gpt-5,${openProject.id},,${member.id},${key.id},`
  expect(lines[0]).toContain(row)
  expect(lines[0]).toMatch(/,1,1,1000,600,300,10,1.25,0.125,,10,0.200000,USD,table$/)
  expect(lines.find((line) => line.includes('unknown'))).toContain(",'=local/x,")
})

test("the export refuses a model that can't be stored, before sending a line", async () => {
  const { headers } = await app.newUser({ role: 'owner' })
  const response = await app.request('GET', '/api/v1/usage/export?model=%00', { headers })
  expect(response.status).toBe(400)
})
