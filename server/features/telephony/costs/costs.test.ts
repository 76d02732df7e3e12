import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import { newCall } from '../../../testing/carrier/records.ts'
import { insertNumber } from '../../../testing/clients/phone-app.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { requireBudget } from './budget.ts'
import { settleCosts } from './costs.ts'
import { estimateLeg, estimateSms } from './prices.ts'
import { recordLegCost, recordSmsCost, settleCost, updateSubject } from './record-cost.ts'

let app: TestApp
let twilio: ScriptedCarrier
beforeAll(async () => {
  twilio = await startCarrier()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
})
afterAll(async () => {
  await app.close()
  await twilio.close()
})

async function createTenant() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const project = await app.project(owner)
  const client = await app.withSession(owner)
  const payer = { projectId: project.id, agentId: null, userId: owner.id }
  const now = app.clock.now()
  const insertCall = async () => {
    const id = newId()
    await app.sql`
      insert into calls (org_id, id, direction, provider, provider_id, from_number, to_number, project_id, status, started_at)
      values (${org.id}, ${id}, 'outbound', 'twilio', ${`CA${id}`}, '+4930111111', '+4930222222', ${project.id},
        'completed', ${now})`
    return { id, providerId: `CA${id}` }
  }
  const costOf = async (id: string) =>
    (
      await app.sql`select cost, cost_is_estimate as "isEstimate" from calls where org_id = ${org.id} and id = ${id}`
    )[0]
  const spendOf = async () =>
    (await app.sql`select spend from projects where org_id = ${org.id} and id = ${project.id}`)[0]!.spend
  return { org, owner, project, client, payer, now, insertCall, costOf, spendOf }
}

test('a cost is estimated by started minute, direction and country', () => {
  expect(estimateLeg('inbound', '+14155550100', 61)).toBe('0.017000')
  expect(estimateLeg('outbound', '+14155550100', 60)).toBe('0.014000')
  expect(estimateLeg('outbound', '+99812345678', 1)).toBe('0.150000')
  expect(estimateLeg('outbound', '+4930222222', 0)).toBe('0.000000')
  expect(estimateSms('outbound', '+4915112345678', 3)).toBe('0.336000')
})

test("an estimate, then the carrier's amount, counts once in ledger, project and budgets", async () => {
  const { org, owner, client, payer, now, insertCall, costOf, spendOf } = await createTenant()
  for (const subject of [
    { scope: 'org', id: org.id },
    { scope: 'user', id: owner.id },
    { scope: 'project', id: payer.projectId },
  ] as const)
    await client.budgets.put({ ...subject, period: 'month', amount: '10' })
  const { id: callId, providerId } = await insertCall()
  const leg = {
    ...payer,
    callId,
    providerId,
    direction: 'outbound',
    numberId: newId(),
    to: '+4930222222',
    seconds: 61,
  } as const
  await Promise.all([1, 2, 3].map(() => recordLegCost(app.sql, org.id, leg, now)))
  expect(await costOf(callId)).toEqual({ cost: '0.100000', isEstimate: true })
  expect(Number(await spendOf())).toBe(0.1)
  const settle = () =>
    app.sql.begin(async (sql) => {
      await settleCost(sql, org.id, { subjectId: callId, item: providerId, amount: '0.0125', now })
      await updateSubject(sql, org.id, { kind: 'call', subjectId: callId })
    })
  await Promise.all([settle(), settle()])
  // A late duplicate of the callback changes nothing.
  await recordLegCost(app.sql, org.id, leg, now)
  expect(await costOf(callId)).toEqual({ cost: '0.012500', isEstimate: false })
  expect(Number(await spendOf())).toBe(0.0125)
  const { items: budgets } = await client.budgets.list()
  expect(budgets.map(({ scope, spent }) => [scope, spent])).toEqual([
    ['org', '0.012500'],
    ['project', '0.012500'],
    ['user', '0.012500'],
  ])
  const usage = await client.usage.get({ groupBy: 'model' })
  expect(usage.items).toMatchObject([{ key: 'call/twilio', calls: 1, cost: { amount: '0.012500' } }])
})

test('speech is a separate item that stays an estimate; an unanswered call costs nothing', async () => {
  const { org, payer, now, insertCall, costOf } = await createTenant()
  const record = async (seconds: number) => {
    const { id: callId, providerId } = await insertCall()
    const common = {
      ...payer,
      callId,
      providerId,
      direction: 'inbound',
      numberId: newId(),
      to: '+14155550100',
    } as const
    await recordLegCost(app.sql, org.id, { ...common, seconds, hasSpeech: true }, now)
    return callId
  }
  expect(await costOf(await record(30))).toEqual({ cost: '0.078500', isEstimate: true })
  expect(await costOf(await record(0))).toEqual({ cost: null, isEstimate: true })
})

test('a budget refuses a call that would exceed it, counting calls that have not ended', async () => {
  const { org, client, payer, now } = await createTenant()
  await client.budgets.put({ scope: 'org', id: org.id, period: 'day', amount: '0.2', onReach: 'stop' })
  const reserve = (subjectId: string, amount: string) =>
    app.sql.begin((sql) => requireBudget({ sql, now: () => now }, org.id, payer, { subjectId, amount }))
  const first = newId()
  await reserve(first, '0.15')
  await expect(reserve(newId(), '0.1')).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    details: { reason: 'budget_reached' },
    message: 'The organization budget for this day, 0.20 USD, is reached',
  })
  // The cost replaces the reservation, which was higher.
  const message = {
    ...payer,
    messageId: first,
    providerId: 'SM1',
    direction: 'outbound',
    numberId: newId(),
  } as const
  await recordSmsCost(app.sql, org.id, { ...message, to: '+14155550100', segments: 1 }, now)
  await reserve(newId(), '0.1')
  const { items } = await client.budgets.list()
  expect(items).toMatchObject([{ spent: '0.011300', reserved: '0.100000' }])
})

test('a worker requests the amount from the carrier with backoff for up to a day', async () => {
  const { org, owner, payer, insertCall, costOf } = await createTenant()
  const account = { accountSid: twilio.account.sid, authToken: twilio.account.token }
  const number = await insertNumber(app, owner, { projectId: payer.projectId, account })
  const options = {
    connectors: { twilio: { client: null, url: twilio.url, isDisabled: false, variables: [] } },
    accounts: { twilio: account },
  } as unknown as TelephonyOptions
  const run = () => settleCosts(options)(app.app.system())
  const endCall = async () => {
    const { id: callId, providerId } = await insertCall()
    const leg = { ...payer, callId, providerId, direction: 'outbound', numberId: number.id } as const
    await recordLegCost(app.sql, org.id, { ...leg, to: '+4930222222', seconds: 60 }, app.clock.now())
    return { callId, providerId }
  }
  const [priced, unpriced] = [await endCall(), await endCall()]
  const fields = { from: number.e164, to: '+4930222222', direction: 'outbound-api', sid: priced.providerId }
  const resource = newCall(account.accountSid, fields)
  twilio.calls.push({ resource, form: new URLSearchParams(), sequence: 0 })
  const inquiries = () => twilio.requestsTo(`GET Calls/${priced.providerId}`).length
  await run()
  expect(inquiries()).toBe(0)
  app.clock.advance(4 * 60)
  await Promise.all([run(), run()])
  expect([inquiries(), await costOf(priced.callId)]).toEqual([1, { cost: '0.050000', isEstimate: true }])
  resource.price = '-0.02340'
  app.clock.advance(7 * 60)
  await run()
  expect(await costOf(priced.callId)).toEqual({ cost: '0.023400', isEstimate: false })
  for (let hours = 0; hours < 30; hours++) {
    app.clock.advance(3600)
    await run()
  }
  expect(inquiries()).toBe(2)
  expect(await costOf(unpriced.callId)).toEqual({ cost: '0.050000', isEstimate: true })
  expect(twilio.requestsTo(`GET Calls/${unpriced.providerId}`).length).toBeLessThan(12)
  expect(await app.sql`select from telephony_costs where org_id = ${org.id} and due_at is not null`).toEqual(
    [],
  )
})
