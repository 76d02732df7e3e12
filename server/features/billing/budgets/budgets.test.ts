import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => void (await app.sql`delete from rate_limits`))

async function createTenant() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner', name: 'Ada' })
  const member = await app.person(org, { name: 'Ben' })
  return { org, owner, member, client: await app.withSession(owner), byMember: await app.withSession(member) }
}

describe('PUT /budgets/:scope/:id', () => {
  test("sets, changes and removes a period's budget, with an audit entry each", async () => {
    const { org, owner, client } = await createTenant()
    const key = { scope: 'org', id: org.id, period: 'month' } as const
    const set = await client.budgets.put({ ...key, amount: '2.5' })
    expect(set).toMatchObject({
      ...key,
      ...{ name: org.name, amount: '2.500000', currency: 'USD', onReach: 'pause', updatedBy: owner.id },
      ...{ spent: '0.000000', reserved: '0.000000', left: '2.500000', state: 'ok' },
    })
    expect([set.periodStart, set.periodEnd]).toEqual([
      expect.stringMatching(/-01T00:00:00.000Z$/),
      expect.stringMatching(/-01T00:00:00.000Z$/),
    ])
    await client.budgets.put({ ...key, period: 'run', amount: '1', onReach: 'stop' })
    await client.budgets.put({ ...key, amount: '3', onReach: 'notify' })
    const { items } = await client.budgets.list()
    expect(items.map(({ period, amount, onReach }) => [period, amount, onReach])).toEqual([
      ['run', '1.000000', 'stop'],
      ['month', '3.000000', 'notify'],
    ])
    expect(await client.budgets.put({ ...key, amount: null })).toMatchObject({ amount: null })
    await expect(client.budgets.put({ ...key, amount: null })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const audit = await client.organization.audit({})
    expect(audit.items.slice(0, 4).map(({ action, details }) => [action, details.from, details.to])).toEqual([
      ['budget.removed', '3.000000', 'none'],
      ['budget.set', '2.500000', '3.000000'],
      ['budget.set', 'none', '1.000000'],
      ['budget.set', 'none', '2.500000'],
    ])
  })

  test('refuses records outside the organization, invalid amounts and invalid periods, and names the field', async () => {
    const { client, org } = await createTenant()
    const other = await createTenant()
    const put = { period: 'day', amount: '1' } as const
    const foreign = [
      { scope: 'org', id: other.org.id },
      { scope: 'user', id: other.owner.id },
      { scope: 'project', id: newId() },
      { scope: 'agent', id: newId() },
      { scope: 'key', id: newId() },
    ] as const
    for (const subject of foreign)
      await expect(client.budgets.put({ ...subject, ...put })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const own = { scope: 'org', id: org.id } as const
    for (const [wrong, path] of [
      [{ ...put, amount: '0' }, 'body.amount'],
      [{ ...put, amount: '-1' }, 'body.amount'],
      [{ ...put, amount: '1.1234567' }, 'body.amount'],
      [{ ...put, period: 'week' }, 'body.period'],
      [{ ...put, onReach: 'explode' }, 'body.onReach'],
      [{ ...put, currency: 'EUR' }, 'body.currency'],
    ] as const)
      await expect(client.budgets.put({ ...own, ...wrong } as never)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        details: expect.arrayContaining([expect.objectContaining({ path })]),
      })
  })

  test("doesn't confirm another member's private project", async () => {
    const { client, member, owner } = await createTenant()
    const hidden = await app.project(member, { visibility: 'private' })
    const put = { scope: 'project', period: 'day', amount: '1' } as const
    await expect(client.budgets.put({ ...put, id: hidden.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const own = await app.project(owner, { visibility: 'private' })
    await client.budgets.put({ ...put, id: own.id })
  })

  test('counts the ledger for the whole current period, whenever the budget is set', async () => {
    const { client, org, owner } = await createTenant()
    const now = app.clock.now()
    const insertUsage = (cost: string, at: Date) => app.sql`
      insert into usage (org_id, id, project_id, run_id, step, attempt, kind, user_id, provider, model, quantity, cost,
        price_source, at)
      values (${org.id}, ${newId()}, ${newId()}, ${newId()}, 1, 1, 'tokens', ${owner.id}, 'test', 'test/x',
        '{"input": 3, "output": 4}', ${cost}, 'table', ${at})`
    await insertUsage('4.5', now)
    await insertUsage('9', new Date(now.getTime() - 40 * 86_400_000))
    const set = (period: 'day' | 'month' | 'total') =>
      client.budgets.put({ scope: 'user', id: owner.id, period, amount: '5' })
    expect(await set('day')).toMatchObject({ spent: '4.500000', left: '0.500000', state: 'warning' })
    expect(await set('month')).toMatchObject({ spent: '4.500000' })
    expect(await set('total')).toMatchObject({ spent: '13.500000', left: '0.000000', state: 'reached' })
  })
})

describe('GET /budgets', () => {
  test('shows members the budgets that concern them, and no private project', async () => {
    const { client, byMember, org, owner, member } = await createTenant()
    const project = await app.project(owner, { name: 'Secret plan', visibility: 'private' })
    const keys = await Promise.all([app.key(owner), app.key(member)])
    const subjects = [
      { scope: 'org', id: org.id },
      { scope: 'project', id: project.id },
      { scope: 'user', id: owner.id },
      { scope: 'user', id: member.id },
      ...keys.map(({ id }) => ({ scope: 'key' as const, id })),
    ] as const
    for (const subject of subjects) await client.budgets.put({ ...subject, period: 'day', amount: '1' })
    expect((await client.budgets.list()).items).toHaveLength(6)
    const seen = await byMember.budgets.list()
    expect(seen.items.map(({ scope, id }) => [scope, id])).toEqual([
      ['org', org.id],
      ['user', member.id],
      ['key', keys[1]!.id],
    ])
    const admin = await app.withSession(await app.person(org, { role: 'admin' }))
    const hidden = (await admin.budgets.list()).items.find(({ scope }) => scope === 'project')
    expect(hidden).toMatchObject({ id: project.id, name: null })
  })
})
