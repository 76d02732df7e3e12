import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { mailsTo } from '../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

test('each report has the amounts of its moment, whatever the budget is when its job runs', async () => {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const client = await app.withSession(owner)
  const spend = (cost: string) => app.sql`
    insert into usage (org_id, id, project_id, run_id, step, attempt, kind, user_id, provider, model, quantity, cost,
      price_source, at)
    values (${org.id}, ${newId()}, ${newId()}, ${newId()}, 1, 1, 'tokens', ${owner.id}, 'test', 'test/x',
      '{"input": 3, "output": 4}', ${cost}, 'table', ${app.clock.now()})`
  const budget = { scope: 'org', id: org.id, period: 'day' } as const
  await client.budgets.put({ ...budget, amount: '5', onReach: 'stop' })
  await spend('6')
  await client.budgets.put({ ...budget, amount: '10', onReach: 'notify' })
  await spend('5')
  await app.app.startWorker()

  const texts = (await mailsTo(app, owner.email)).map(({ text }) => text)
  expect(texts.toSorted()).toEqual([
    expect.stringMatching(/is reached: \$11\.00 of \$10\.00\.\s+Runs continue\./),
    expect.stringMatching(/is reached: \$6\.00 of \$5\.00\.\s+Runs that need more fail\./),
  ])
  const events = await app.sql<{ data: { amount: string; spent: string; onReach: string } }[]>`
    select payload as data from events where org_id = ${org.id} and type = 'billing.budget.reached' order by id`
  expect(events.map(({ data }) => [data.amount, data.spent, data.onReach]).toSorted()).toEqual([
    ['10.000000', '11.000000', 'notify'],
    ['5.000000', '6.000000', 'stop'],
  ])
})
