import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { script } from '../../../../testing/clients/agent-runs.ts'
import { type ChatClient, createChatClient } from '../../../../testing/clients/chat-client.ts'
import { callLine } from '../../../../testing/clients/scripted-runs.ts'
import { mailsTo } from '../../../../testing/fakes/mailbox.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { sweepRuns } from '../engine/sweep.ts'

/** An answer of 16,000 tokens costs 1.6, the shortest that is allowed 0.4096. */
const PRICES = { 'test/script': { input: 0, output: 100 }, 'acme/judge': { input: 1000, output: 0 } }
const TIMEOUTS = { timeout: 60_000, interval: 50 }

let app: TestApp
let provider: LLMock
beforeAll(async () => {
  provider = await LLMock.create({ port: 0 })
  provider.onMessage(/./, { content: 'PASS' })
  const env = { ATRIUM_MODEL_PRICES: JSON.stringify(PRICES), ATRIUM_PROVIDER_ACME_URL: `${provider.url}/v1` }
  app = await buildTestApp({ env })
  await app.app.startWorker()
})
afterAll(() => Promise.all([app.close(), provider.stop()]))
beforeEach(async () => void (await app.sql`delete from rate_limits`))

/** A person who talks with an agent and sets budgets. */
async function createOwner(settings: Record<string, unknown> = {}): Promise<ChatClient> {
  const chat = await createChatClient(app, settings)
  await app.sql`update memberships set role = 'owner' where user_id = ${chat.person.id}`
  return chat
}

/** 100 tokens, which cost 0.01. */
const ANSWER = script(`say ${'word'.repeat(100)}`)

const orgBudget = ({ org }: ChatClient, amount: string | null, extra: object = {}) => ({
  ...{ scope: 'org' as const, id: org.id, period: 'day' as const, amount, ...extra },
})

const totalsOf = async ({ client }: ChatClient) => {
  const { items } = await client.budgets.list()
  return items.map(({ spent, reserved }) => [Number(spent), Number(reserved)])
}

test("15 concurrent runs never exceed a budget, wait for it, and continue when it's raised", async () => {
  const chat = await createOwner()
  const { client, org } = chat
  await client.budgets.put(orgBudget(chat, '0.5'))
  const started = await Promise.all(Array.from({ length: 15 }, () => chat.start(ANSWER)))
  const states = async () => {
    const rows = await app.sql<{ state: string }[]>`
      select coalesce(wait -> 'budget' ->> 'reason', status) as state from runs where org_id = ${org.id}`
    return Object.fromEntries(
      [...Map.groupBy(rows, ({ state }) => state)].map(([state, group]) => [state, group.length]),
    )
  }
  // Each answer costs 0.01, and the next call is refused once less than 0.4096 is left.
  await expect.poll(states, TIMEOUTS).toEqual({ succeeded: 10, spent: 5 })
  expect(await totalsOf(chat)).toEqual([[0.1, 0]])
  const waiting = (await client.agentRuns.list({ status: 'waiting', limit: 1 })).items[0]!
  expect(waiting.wait).toMatchObject({
    for: 'budget',
    budget: {
      reason: 'spent',
      scope: 'org',
      id: org.id,
      period: 'day',
      amount: '0.500000',
      needed: '0.409600',
    },
  })
  expect((await client.budgets.list()).waitingRuns).toBe(5)
  await client.budgets.put(orgBudget(chat, '100'))
  await Promise.all(started.map(({ runId }) => chat.waitForEnd(runId)))
  expect(await states()).toEqual({ succeeded: 15 })
  expect(await totalsOf(chat)).toEqual([[0.15, 0]])
}, 120_000)

test("a stopping budget fails the run, a notifying one doesn't, and each is reported once", async () => {
  const chat = await createOwner()
  const { client, org } = chat
  await client.budgets.put(orgBudget(chat, '0.01', { onReach: 'stop' }))
  const stopped = await chat.waitForEnd((await chat.start(ANSWER)).runId)
  expect(stopped).toMatchObject({ status: 'failed', errorCode: 'budget_reached' })
  expect(stopped.error).toBe(
    'The run reached the budget for the organization per day: $0.000000 of $0.010000 is spent, and the next call can cost $0.409600',
  )
  await client.budgets.put(orgBudget(chat, '0.012', { onReach: 'notify' }))
  for (let count = 0; count < 3; count++)
    expect(await chat.waitForEnd((await chat.start(ANSWER)).runId)).toMatchObject({ status: 'succeeded' })
  const types = async () => {
    const rows = await app.sql<{ type: string }[]>`
      select type from events where org_id = ${org.id} and type like 'billing.%' order by id`
    return rows.map(({ type }) => type)
  }
  // The refused call, then 80 % and 100 % of the second budget.
  await expect
    .poll(types, TIMEOUTS)
    .toEqual(['billing.budget.reached', 'billing.budget.warning', 'billing.budget.reached'])
  const mails = async () => (await mailsTo(app, chat.person.email)).map(({ subject }) => subject)
  await expect.poll(mails, TIMEOUTS).toHaveLength(3)
  expect((await mails()).toSorted()[0]).toMatch(/^80% of the budget of .* for this day is spent$/)
})

test('a budget refuses and names a model with unknown price, and a test model costs nothing', async () => {
  const chat = await createOwner({ model: 'acme/unpriced' })
  await chat.client.budgets.put(orgBudget(chat, '5'))
  expect(await chat.waitForEnd((await chat.start('Hello')).runId)).toMatchObject({
    ...{ status: 'failed', errorCode: 'price_unknown' },
    error:
      'acme/unpriced has no known price, so the budget for the organization can’t limit it. An admin can set its price, or count it as free, in Settings → Models',
  })
  const setPrice = (price: number) =>
    chat.client.modelSettings.put({
      models: ['acme/unpriced'],
      pricing: { input: price, output: price },
      contextWindow: null,
    })
  await setPrice(0)
  const counted = await chat.waitForEnd((await chat.start('Hello')).runId)
  expect(counted).toMatchObject({ status: 'succeeded', cost: { amount: '0.000000' } })
  await setPrice(1000)
  const refused = await chat.until((await chat.start('Hello')).runId, 'waiting')
  expect(refused.wait).toMatchObject({ for: 'budget', budget: { reason: 'spent' } })
  const sources =
    await app.sql`select distinct price_source as source from usage where run_id = ${counted.id}`
  expect(sources).toEqual([{ source: 'organization' }])
  await chat.client.modelSettings.put({ models: ['acme/unpriced'], pricing: null, contextWindow: null })
  await chat.client.budgets.put(orgBudget(chat, '5', { onReach: 'notify' }))
  expect(await chat.waitForEnd((await chat.start('Hello')).runId)).toMatchObject({ status: 'succeeded' })
  await chat.client.budgets.put(orgBudget(chat, '0.000001'))
  const { id } = await chat.client.agents.create({ name: 'Echo', model: 'test/echo' })
  const free = await chat.waitForEnd((await chat.start('Hello', id)).runId)
  expect(free).toMatchObject({ status: 'succeeded', cost: { amount: '0.000000' } })
})

test("a guardrail's model counts in the ledger and every budget, and needs a known price under a budget", async () => {
  const chat = await createOwner()
  const { client } = chat
  await client.budgets.put(orgBudget(chat, '100'))
  const rule = { kind: 'model', on: 'input', action: 'block', everywhere: true } as const
  const config = { model: 'acme/judge', instructions: 'The text contains insults.' }
  const { id } = await client.guardrails.create({ name: 'Insults', ...rule, config })
  const { runId } = await chat.start(ANSWER)
  const run = await chat.waitForEnd(runId)
  const rows = await app.sql<{ kind: string; model: string; cost: string }[]>`
    select kind, model, cost from usage where run_id = ${runId} order by kind`
  expect(rows).toMatchObject([
    { kind: 'guardrail', model: 'acme/judge', cost: expect.not.stringMatching(/^0\.0+$/) },
    { kind: 'tokens', model: 'test/script', cost: '0.010000' },
  ])
  const sum = rows.reduce((total, { cost }) => total + Number(cost), 0)
  expect(Number(run.cost!.amount)).toBeCloseTo(sum, 6)
  expect((await totalsOf(chat))[0]![0]).toBeCloseTo(sum, 6)
  await client.guardrails.update({ id, config: { ...config, model: 'acme/unpriced' } })
  expect(await chat.waitForEnd((await chat.start(ANSWER)).runId)).toMatchObject({
    errorCode: 'price_unknown',
    error: expect.stringContaining('acme/unpriced has no known price'),
  })
})

test("a run's budget limits all its descendants together, and raising it continues them", async () => {
  const chat = await createOwner({ tools: { agents: true }, budget: { amount: '0.7' } })
  await chat.client.agents.create({ name: 'Helper', model: 'test/script', tools: { agents: true } })
  const play = (...lines: string[]) => ['~~~script', ...lines, '~~~'].join('\n')
  const delegate = (message: string) => callLine('run_agent', { agent: 'Helper', message })
  // 2,000 tokens, which cost 0.2.
  const spend = delegate(play(`say ${'word'.repeat(2000)}`))
  const { runId } = await chat.start(play(spend, delegate(play(spend)), spend, '---', 'say Done'))
  const runs = () => app.sql<{ id: string; cost: string; state: string; scopeId: string | null }[]>`
    select id, cost, coalesce(wait -> 'budget' ->> 'reason', wait ->> 'for', status) as state,
      wait -> 'budget' ->> 'id' as "scopeId" from runs where org_id = ${chat.org.id}`
  // Every run has ended, waits for a child, or waits for the budget of the first one.
  await expect
    .poll(async () => {
      const states = (await runs()).map(({ state }) => state)
      return states.includes('spent') && states.every((state) => /spent|child|succeeded/.test(state))
    }, TIMEOUTS)
    .toBe(true)
  const stopped = await runs()
  const spent = stopped.reduce((total, { cost }) => total + Number(cost), 0)
  expect(spent).toBeGreaterThan(0.2)
  expect(spent).toBeLessThanOrEqual(0.7)
  const waiting = stopped.filter(({ state }) => state === 'spent')
  expect(waiting.map(({ scopeId }) => scopeId)).toEqual(waiting.map(() => chat.agent.id))
  expect(waiting.map(({ id }) => id)).not.toContain(runId)
  await chat.client.agents.update({ id: chat.agent.id, budget: { amount: '100', currency: 'USD' } })
  await sweepRuns(app.app.system())
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  expect(await app.sql`select from reservations where org_id = ${chat.org.id}`).toHaveLength(0)
})

test("an agent's budget limits each run, and raising it continues the run", async () => {
  const chat = await createOwner({ budget: { amount: '0.42' } })
  const call = 'call search_actions {"words":"snapshot"}'
  const { runId } = await chat.start(
    script(`say ${'word'.repeat(200)}`, call, '---', call, '---', 'say Done'),
  )
  expect((await chat.until(runId, 'waiting')).wait).toMatchObject({
    for: 'budget',
    until: null,
    budget: { scope: 'agent', id: chat.agent.id, period: 'run', amount: '0.420000' },
  })
  await chat.client.agents.update({ id: chat.agent.id, budget: { amount: '5', currency: 'USD' } })
  await sweepRuns(app.app.system())
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
})

test("a call's reservation is released when the run is canceled, and an estimate is charged", async () => {
  const chat = await createOwner()
  await chat.client.budgets.put(orgBudget(chat, '1.7'))
  const { runId } = await chat.startStreaming('word'.repeat(100))
  expect(await totalsOf(chat)).toEqual([[0, 1.6]])
  const waitingRun = await chat.start(ANSWER)
  expect((await chat.until(waitingRun.runId, 'waiting')).wait?.budget).toMatchObject({ reason: 'reserved' })
  await chat.client.agentRuns.cancel({ id: runId })
  expect(await chat.waitForEnd(waitingRun.runId)).toMatchObject({ status: 'succeeded' })
  expect(await totalsOf(chat)).toEqual([[0.02, 0]])
  const [row] = await app.sql`select cost, price_source from usage where run_id = ${runId}`
  expect(row).toEqual({ cost: '0.010000', price_source: 'estimate' })
})

test("a waiting run continues when the next period begins, and waiting doesn't count toward its time limit", async () => {
  const chat = await createOwner({ maxMinutes: 5 })
  await chat.client.budgets.put(orgBudget(chat, '0.411'))
  await chat.waitForEnd((await chat.start(ANSWER)).runId)
  const { runId } = await chat.start(ANSWER)
  const { wait } = await chat.until(runId, 'waiting')
  expect(wait?.until).toMatch(/T00:00:00.000Z$/)
  app.clock.advance((Date.parse(wait!.until!) - app.clock.now().getTime()) / 1000 + 1)
  expect(await chat.waitForEnd(runId)).toMatchObject({ status: 'succeeded' })
  expect(await totalsOf(chat)).toEqual([[0.01, 0]])
})
