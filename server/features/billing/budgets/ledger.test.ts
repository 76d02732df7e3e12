import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../database/transaction.ts'
import type { Pricing } from '../../../language-models/prices.ts'
import { newId } from '../../../security/ids.ts'
import { shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { EngineRun } from '../../agents/runs/state/run-row.ts'
import { insertUsage } from '../../agents/runs/usage/record-usage.ts'
import { releaseCall, reserveCall } from './reserve.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

/** One dollar per million tokens: a call with 4,096 tokens of output and no input costs 0.004096. */
const PRICING: Pricing = {
  currency: 'USD',
  input: 1,
  output: 1,
  cacheRead: null,
  cacheWrite: null,
  tiers: [],
  source: 'operator',
}
const OUTPUT = 4096
const MAX_COST = 4096

async function createTenant() {
  const org = await app.organization()
  const owner = await app.person(org, { role: 'owner' })
  const client = await app.withSession(owner)
  const [projectId, agentId] = [newId(), (await client.agents.list({})).items[0]!.id]
  const newRun = (fields: Partial<EngineRun> = {}) =>
    ({
      ...{ orgId: org.id, id: newId(), projectId, agentId, createdBy: owner.id, keyId: null },
      ...fields,
    }) as EngineRun
  return { org, owner, client, newRun }
}
type Tenant = Awaited<ReturnType<typeof createTenant>>

const dollars = (micros: number) => (micros / 1e6).toFixed(6)

const reserve = (run: EngineRun, step = 1, attempt = 1) =>
  inTransaction(app.sql, (sql) =>
    reserveCall(
      sql,
      run,
      { step, attempt, inputTokens: 0, maxOutput: OUTPUT, pricing: PRICING, additional: [] },
      app.clock.now(),
    ),
  )

/** The end of a call as the engine records it: the ledger, then the budgets, in one transaction. */
const settle = (run: EngineRun, tokens: number | null, { step = 1, attempt = 1, fails = false } = {}) =>
  inTransaction(app.sql, async (sql) => {
    const now = app.clock.now()
    const quantity = { input: 0, output: tokens ?? 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
    if (tokens !== null)
      await insertUsage(sql, run, {
        ...{
          step,
          attempt,
          kind: 'tokens',
          ordinal: 0,
          provider: 'test',
          model: 'test/x',
          quantity,
          unitCost: null,
          now,
        },
        ...{ cost: dollars(tokens), priceSource: 'operator' },
      })
    await releaseCall(sql, run, { n: step, attempt })
    if (fails) throw new Error('The process ended before the commit')
  })

/** Totals, open reservations and days, each compared with the sum of its rows. */
async function findDifferences({ org }: Tenant) {
  const spend = await app.sql`
    select t.scope, t.period, t.amount, t.reserved,
      (select coalesce(sum(cost), 0)::numeric(20, 6) from usage u where u.org_id = t.org_id and u.at >= t.period_start
        and (t.scope = 'org' or t.scope = 'agent' and u.agent_id = t.scope_id or t.scope = 'user' and u.user_id = t.scope_id
          or t.scope = 'key' and u.key_id = t.scope_id)) as ledger,
      (select coalesce(sum(amount), 0)::numeric(20, 6) from reservations r where r.org_id = t.org_id and r.scope = t.scope
        and r.scope_id = t.scope_id and r.period = t.period and r.period_start = t.period_start) as open
    from spend t where t.org_id = ${org.id}`
  const [days] = await app.sql`
    select (select coalesce(sum(cost), 0) from usage where org_id = ${org.id})
      - (select coalesce(sum(cost), 0) from usage_days where org_id = ${org.id}) as cost,
      (select count(*) from usage where org_id = ${org.id})
      - (select coalesce(sum(calls), 0)::bigint from usage_days where org_id = ${org.id}) as calls`
  const wrong = spend.filter(({ amount, reserved, ledger, open }) => amount !== ledger || reserved !== open)
  return { wrong, cost: Number(days!.cost), calls: days!.calls }
}
const NONE = { wrong: [], cost: 0, calls: 0 }

describe('fifty concurrent calls', () => {
  test('reserve exactly the amount every budget allows, and the rest are refused', async () => {
    const tenant = await createTenant()
    const { client, org, owner } = tenant
    await client.budgets.put({ scope: 'org', id: org.id, period: 'day', amount: dollars(30 * MAX_COST) })
    await client.budgets.put({ scope: 'user', id: owner.id, period: 'total', amount: dollars(20 * MAX_COST) })
    const runs = Array.from({ length: 50 }, () => tenant.newRun())
    const results = await Promise.all(runs.map((run) => reserve(run)))
    const refused = results.flatMap((result) => (result.kind === 'refused' ? [result] : []))
    expect(results.length - refused.length).toBe(20)
    for (const { reason, limit } of refused) expect([reason, limit.scope]).toEqual(['reserved', 'user'])
    const reserved = runs.filter((_, index) => results[index]!.kind === 'reserved')
    await Promise.all(reserved.map((run) => settle(run, OUTPUT)))
    expect(await findDifferences(tenant)).toEqual(NONE)
    expect(await reserve(tenant.newRun())).toMatchObject({ kind: 'refused', reason: 'spent' })
    const { items } = await client.budgets.list()
    expect(
      items.map(({ scope, spent, reserved, left, state }) => [scope, spent, reserved, left, state]),
    ).toEqual([
      ['org', dollars(20 * MAX_COST), '0.000000', dollars(10 * MAX_COST), 'ok'],
      ['user', dollars(20 * MAX_COST), '0.000000', '0.000000', 'reached'],
    ])
  })
})

test('a reservation covers a prompt that is written to the cache, which costs more than other input', async () => {
  const { client, org, newRun } = await createTenant()
  await client.budgets.put({ scope: 'org', id: org.id, period: 'day', amount: '1.2' })
  const call = { step: 1, attempt: 1, inputTokens: 1_000_000, maxOutput: OUTPUT, additional: [] }
  const reserveAt = (pricing: Pricing) =>
    inTransaction(app.sql, (sql) => reserveCall(sql, newRun(), { ...call, pricing }, app.clock.now()))
  const needed = dollars(1_250_000 + MAX_COST)
  expect(await reserveAt({ ...PRICING, cacheRead: 0.1, cacheWrite: 1.25 })).toMatchObject({
    ...{ kind: 'refused', reason: 'spent', needed },
  })
  expect(await reserveAt({ ...PRICING, cacheRead: 0.1 })).toMatchObject({ kind: 'reserved' })
})

type Command =
  | { kind: 'reserve' | 'release' | 'settle twice'; run: number }
  | { kind: 'settle' | 'settle and crash'; run: number; tokens: number }
  | { kind: 'set'; budget: number; amount: number }
  | { kind: 'remove'; budget: number }

const RUNS = 6
const run = fc.nat({ max: RUNS - 1 })
const tokens = fc.nat({ max: OUTPUT })
const budget = fc.nat({ max: 3 })
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('reserve' as const), run }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle' as const), run, tokens }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle and crash' as const), run, tokens }) },
  fc.record({ kind: fc.constantFrom('release' as const, 'settle twice' as const), run }),
  fc.record({ kind: fc.constant('set' as const), budget, amount: fc.integer({ min: 1, max: 8 * MAX_COST }) }),
  fc.record({ kind: fc.constant('remove' as const), budget }),
)

describe('the totals', () => {
  test('equal the ledger plus open reservations after any interleaving, change and crash', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
        async (rounds) => {
          const tenant = await createTenant()
          const { client, org, owner, newRun } = tenant
          const runs = Array.from({ length: RUNS }, () => newRun())
          const attempts = new Map<number, number>()
          const isOpen = new Map<number, boolean>()
          const budgets = [
            { scope: 'org', id: org.id, period: 'day' },
            { scope: 'org', id: org.id, period: 'month' },
            { scope: 'agent', id: runs[0]!.agentId, period: 'total' },
            { scope: 'user', id: owner.id, period: 'day' },
          ] as const
          const execute = async (each: Command): Promise<unknown> => {
            if (each.kind === 'set')
              return client.budgets.put({ ...budgets[each.budget]!, amount: dollars(each.amount) })
            if (each.kind === 'remove')
              return client.budgets.put({ ...budgets[each.budget]!, amount: null }).catch(() => {})
            const target = runs[each.run]!
            const attempt = attempts.get(each.run) ?? 1
            if (each.kind === 'reserve') {
              if (isOpen.get(each.run)) return
              isOpen.set(each.run, true)
              const result = await reserve(target, 1, attempt)
              isOpen.set(each.run, result.kind === 'reserved')
              return
            }
            // One worker at a time has the lease of a run, so that its calls never end at the same time.
            if (!isOpen.get(each.run)) return
            isOpen.set(each.run, false)
            const used = 'tokens' in each ? each.tokens : 1
            const options = { step: 1, attempt }
            if (each.kind === 'settle and crash')
              await settle(target, used, { ...options, fails: true }).catch(() => {})
            if (each.kind === 'release') await settle(target, null, options)
            else await settle(target, used, options)
            if (each.kind === 'settle twice') await settle(target, used, options)
            attempts.set(each.run, attempt + 1)
          }
          for (const round of rounds) {
            const distinct = [
              ...Map.groupBy(round, (each) => ('run' in each ? `run ${each.run}` : each.kind)).values(),
            ]
            await Promise.all(distinct.map((group) => execute(group[0]!)))
            expect(await findDifferences(tenant)).toEqual(NONE)
          }
        },
      ),
      { numRuns: 15 },
    )
  }, 60_000)
})
