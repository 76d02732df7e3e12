import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createScriptedAgent,
  call as line,
  type ScriptedAgent,
} from '../../../../../../test/attacks/scripted-agent.ts'
import { startReceiver } from '../../../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../../../testing/test-app.ts'

let app: TestApp
let engine: Awaited<ReturnType<typeof startReceiver>>
let agent: ScriptedAgent
beforeAll(async () => {
  engine = await startReceiver()
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await engine.close()
})

const found = JSON.stringify({ web: { results: [{ title: 'A', url: 'https://example.com/' }] } })

beforeEach(async () => {
  engine.answer((_request, response) => response.end(found))
  agent = await createScriptedAgent(app)
})

const choose = (pricePerSearch: number | null) =>
  agent.browser.webSearch.put({
    kind: 'brave',
    url: new URL(engine.url).origin,
    apiKey: 'brave-secret-key-1234',
    pricePerSearch,
  })
const budget = (amount: string, onReach: 'pause' | 'notify' = 'pause') =>
  agent.browser.budgets.put({ scope: 'org', id: agent.org.id, period: 'month', amount, onReach })
const search = (query: string) => line('web_search', { query })
const ledger = () => app.sql<{ kind: string; model: string; cost: string | null; source: string }[]>`
  select kind, model, cost, price_source as source from usage
  where org_id = ${agent.org.id} and kind = 'search' order by step, call_ordinal`
const reserved = () => app.sql`select from spend where org_id = ${agent.org.id} and reserved <> 0`

describe('a search with a price', () => {
  test('is in the ledger, the run, its calls, usage and the budget, and reserves nothing afterwards', async () => {
    await choose(0.05)
    await budget('10')
    const run = await agent.ask([[search('one'), search('two')].join('\n'), 'say Done'])
    expect(await run.waitUntilSettled()).toMatchObject({
      status: 'succeeded',
      cost: { amount: '0.100000', currency: 'USD' },
    })
    const entry = { kind: 'search', model: 'search/brave', cost: '0.050000', source: 'organization' }
    expect(await ledger()).toEqual([entry, entry])
    expect((await run.calls()).map(({ cost }) => cost?.amount)).toEqual(['0.050000', '0.050000'])
    const usage = await agent.browser.usage.get({ groupBy: 'model' })
    expect(usage.items.find(({ key }) => key === 'search/brave')).toMatchObject({
      calls: 2,
      unpricedCalls: 0,
      cost: { amount: '0.100000' },
    })
    const [own] = (await agent.browser.budgets.list()).items.filter(({ scope }) => scope === 'org')
    expect(own).toMatchObject({ spent: '0.100000' })
    expect(await reserved()).toHaveLength(0)
    const { spend } = await agent.browser.projects.get({ id: agent.project.id })
    expect(spend.amount).toBe('0.100000')
  })

  test('is refused before it is made if a budget leaves too little, and the run goes on', async () => {
    await choose(0.05)
    await budget('0.12')
    const run = await agent.ask([[search('one'), search('two'), search('three')].join('\n'), 'say Done'])
    expect(await run.waitUntilSettled()).toMatchObject({ status: 'succeeded' })
    const calls = await run.calls()
    expect(calls.map(({ state }) => state).toSorted()).toEqual(['done', 'done', 'failed'])
    expect(calls.find(({ state }) => state === 'failed')!.output).toMatchObject({
      error: expect.stringMatching(/budget for this month, 0\.12 USD, leaves too little for a web search/),
      details: { reason: 'budget_reached' },
    })
    expect(await ledger()).toHaveLength(2)
    expect(await reserved()).toHaveLength(0)
  })

  test('costs nothing if it fails', async () => {
    await choose(0.05)
    await budget('10')
    engine.answer((_request, response) => response.writeHead(500).end())
    const run = await agent.ask([search('one'), 'say Done'])
    await run.waitUntilSettled()
    expect((await run.calls())[0]).toMatchObject({ state: 'failed', cost: null })
    expect(await ledger()).toEqual([])
    expect(await reserved()).toHaveLength(0)
  })
})

describe('a search without a known price', () => {
  test('counts as unpriced, and a budget refuses it', async () => {
    await choose(null)
    expect((await agent.browser.webSearch.get()).provider!.pricePerSearch).toBeNull()
    const free = await agent.ask([search('one'), 'say Done'])
    expect(await free.waitUntilSettled()).toMatchObject({ cost: { amount: '0.000000' } })
    expect(await ledger()).toMatchObject([{ cost: null, source: 'unknown' }])
    await budget('10')
    const refused = await agent.ask([search('one'), 'say Done'])
    await refused.waitUntilSettled()
    expect((await refused.calls())[0]).toMatchObject({
      state: 'failed',
      output: { error: expect.stringContaining('Settings → Web search') },
    })
    await budget('10', 'notify')
    const told = await agent.ask([search('one'), 'say Done'])
    await told.waitUntilSettled()
    expect((await told.calls())[0]).toMatchObject({ state: 'done' })
  })
})

test('a provider with a list price needs no own one', async () => {
  engine.answer((_request, response) =>
    response.end(JSON.stringify({ results: [{ title: 'A', url: 'https://example.com/' }] })),
  )
  await agent.browser.webSearch.put({
    kind: 'tavily',
    url: new URL(engine.url).origin,
    apiKey: 'tavily-secret-key-1234',
  })
  expect((await agent.browser.webSearch.get()).provider).toMatchObject({ pricePerSearch: 0.008 })
  expect((await agent.browser.webSearch.settings()).settings).toMatchObject({ pricePerSearch: null })
  const run = await agent.ask([search('one'), 'say Done'])
  await run.waitUntilSettled()
  expect(await ledger()).toMatchObject([{ cost: '0.008000', source: 'table' }])
})
