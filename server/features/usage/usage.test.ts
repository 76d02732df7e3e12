import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../security/ids.ts'
import { cookie, shareTestApp, type TestApp } from '../../testing/test-app.ts'

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
  const [secret, open] = [
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
      ${call.cost === null ? '=local/x' : 'openai/gpt-5'}, '{"input": 1000, "output": 10}',
      ${call.cost === null ? null : app.sql.json({ input: 1.25, output: 10 })}, ${call.cost},
      ${call.cost === null ? 'unknown' : 'table'}, ${call.at})`
  const yesterday = new Date(now.getTime() - DAY_MS)
  await insert({ user: owner.id, project: secret.id, key: null, cost: '0.100001', at: yesterday })
  await insert({ user: member.id, project: open.id, key: key.id, cost: '0.2', at: yesterday })
  await insert({ user: member.id, project: open.id, key: key.id, cost: '0.3', at: now })
  await insert({ user: member.id, project: open.id, key: null, cost: null, at: now })
  const days = [yesterday, now].map((time) => time.toISOString().slice(0, 10))
  const byOwner = await app.withSession(owner)
  return { org, owner, member, secret, open, key, days, byOwner, headers: cookie(await app.session(member)) }
}

test('usage is exact by day and by every property, and members see only their own', async () => {
  const { byOwner, headers, days, secret, open, key, owner, member, org } = await createTenant()
  const all = await byOwner.usage.get({})
  expect(all).toMatchObject({ groupBy: 'day', isOwn: false, to: days[1] })
  expect(all.total).toEqual({
    cost: { amount: '0.600001', currency: 'USD' },
    ...{ calls: 4, unpricedCalls: 1, inputTokens: 4000, outputTokens: 40 },
  })
  expect(all.items.map(({ key, cost }) => [key, cost.amount])).toEqual([
    [days[0], '0.300001'],
    [days[1], '0.300000'],
  ])
  const by = async (groupBy: 'project' | 'model' | 'user' | 'key', client = byOwner) =>
    (await client.usage.get({ groupBy })).items.map(({ key, name, cost }) => [key, name, cost.amount])
  expect(await by('project')).toEqual([
    [open.id, 'Open plan', '0.500000'],
    [secret.id, 'Secret plan', '0.100001'],
  ])
  expect(await by('user')).toEqual([
    [member.id, 'Ben', '0.500000'],
    [owner.id, 'Ada', '0.100001'],
  ])
  expect(await by('key')).toEqual([
    [key.id, expect.any(String), '0.500000'],
    [null, null, '0.100001'],
  ])
  const admin = await app.withSession(await app.person(org, { role: 'admin' }))
  expect(await by('project', admin)).toContainEqual([secret.id, null, '0.100001'])
  const byMember = app.as(headers)
  expect(await by('user', byMember)).toEqual([[member.id, 'Ben', '0.500000']])
  const foreign = await byMember.usage.get({ userId: owner.id })
  expect([foreign.isOwn, foreign.total.cost.amount]).toEqual([true, '0.500000'])
  const { days: series } = await byOwner.usage.get({ groupBy: 'user' })
  expect(series.map(({ day, groups }) => [day, groups.length])).toEqual([
    [days[0], 2],
    [days[1], 1],
  ])
  const stranger = await createTenant()
  expect((await stranger.byOwner.usage.get({ projectId: open.id })).total.calls).toBe(0)
})

test('a range that is too long or reversed is refused with the name of the field', async () => {
  const { byOwner } = await createTenant()
  for (const range of [
    { from: '2026-01-02', to: '2026-01-01' },
    { from: '2024-01-01', to: '2026-01-01' },
  ])
    await expect(byOwner.usage.get(range)).rejects.toMatchObject({ details: [{ path: 'query.from' }] })
  await expect(byOwner.usage.get({ from: 'yesterday' })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const { from } = await byOwner.usage.get({ from: '2026-01-01T23:30:00-05:00', to: '2026-01-03' })
  expect(from).toBe('2026-01-02')
})

test('the export has a line for each call, as text that no spreadsheet calculates', async () => {
  const { headers, member, open, key } = await createTenant()
  const response = await app.request('GET', '/api/v1/usage/export', { headers })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...lines] = response.text.trimEnd().split('\r\n')
  expect(head).toMatch(/^time,kind,model,project_id,/)
  expect(lines).toHaveLength(3)
  const row = `tokens,openai/gpt-5,${open.id},,${member.id},${key.id},`
  expect(lines[0]).toContain(row)
  expect(lines[0]).toMatch(/,1,1,1000,,10,1.25,10,0.200000,USD,table$/)
  expect(lines.find((line) => line.includes('unknown'))).toContain(",'=local/x,")
})
