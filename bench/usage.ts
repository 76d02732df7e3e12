import { inTransaction } from '../server/database/transaction.ts'
import { releaseCall, reserveCall } from '../server/features/billing/budgets/budgets.ts'
import type { Pricing } from '../server/language-models/prices.ts'
import { newId } from '../server/security/ids.ts'
import { openBenchDatabase } from './bench-database.ts'
import { compareTimes } from './compare.ts'
import { startProgram } from './program.ts'
import { report, reportGrowth } from './report.ts'

const FEW = 1000
const MANY = 1_000_000
const DAYS = 30
const ROUNDS = 200
const BUDGET = '1000000'
const PRICING: Pricing = {
  currency: 'USD',
  input: 1,
  output: 1,
  cacheRead: null,
  cacheWrite: null,
  tiers: [],
  source: 'operator',
}

/** Compares with the bare statements, and long with short ledgers. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, key } = database
const api = await startProgram('subject.ts', database.connection, folder)
try {
  await measureReservation()
  await measureUsage()
} finally {
  await api.stop()
  await database.close()
}

async function measureReservation() {
  const owner = await person(await organization(), { role: 'owner' })
  const { orgId } = owner
  const scopes = [
    ['org', orgId, 'month'],
    ['user', owner.id, 'day'],
  ] as const
  for (const [scope, id, period] of scopes)
    await sql`
      insert into budgets (org_id, scope, scope_id, period, amount, on_reach, created_at, updated_at)
      values (${orgId}, ${scope}, ${id}, ${period}, ${BUDGET}, 'pause', now(), now())`
  const run = { orgId, id: newId(), projectId: newId(), agentId: newId(), createdBy: owner.id, keyId: null }
  let attempt = 0
  const ours = async () => {
    const call = {
      step: 1,
      attempt: ++attempt,
      inputTokens: 1000,
      maxOutput: 4096,
      pricing: PRICING,
      additional: [],
    }
    await inTransaction(sql, (tx) => reserveCall(tx, run, call, new Date()))
    await inTransaction(sql, (tx) => releaseCall(tx, run, { n: 1, attempt: call.attempt }))
  }
  await ours()
  const bare = async () => {
    await sql.begin(async (tx) => {
      await tx`select amount, reserved from spend where org_id = ${orgId} order by scope for update`
      await tx`update spend set reserved = reserved + 1 where org_id = ${orgId}`
      await tx`
        insert into reservations (org_id, run_id, step, attempt, scope, scope_id, period, period_start, amount)
        select org_id, ${run.id}, 2, 1, scope, scope_id, period, period_start, 1 from spend where org_id = ${orgId}`
    })
    await sql.begin(async (tx) => {
      await tx`delete from reservations where org_id = ${orgId} and run_id = ${run.id} and step = 2`
      await tx`update spend set reserved = reserved - 1 where org_id = ${orgId}`
    })
  }
  await bare()
  const { ratio, fewMs, manyMs } = await compareTimes(bare, ours, ROUNDS)
  report({
    name: 'reserve and release on two budgets',
    ours: `${manyMs.toFixed(2)} ms`,
    floor: `${fewMs.toFixed(2)} ms`,
    ratio,
    note: 'compared with the bare statements',
  })
}

/** Both organizations have the same projects, agents and models, and usage on the same days. */
async function measureUsage() {
  const createTenant = async (calls: number) => {
    const owner = await person(await organization(), { role: 'owner' })
    await sql`alter table usage disable trigger usage_counted`
    await sql`
      insert into usage (org_id, id, project_id, run_id, step, attempt, kind, agent_id, user_id, provider, model, quantity,
        cost, price_source, at)
      select ${owner.orgId}, gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad((n % 10)::text, 12, '0'))::uuid,
        gen_random_uuid(), 1, 1, 'tokens', ('00000000-0000-4000-8000-' || lpad((n % 5)::text, 12, '0'))::uuid, ${owner.id},
        'openai', 'openai/model-' || n % 3, '{"input": 1000, "output": 100}', 0.01, 'table',
        now() - (n % ${DAYS}) * interval '1 day'
      from generate_series(1, ${calls}::int) n`
    await sql`alter table usage enable trigger usage_counted`
    await sql`
      insert into usage_days (org_id, day, kind, project_id, agent_id, model, user_id, key_id, calls, unpriced, tokens_in,
        tokens_out, cost)
      select org_id, (at at time zone 'UTC')::date, kind, project_id, agent_id, model, user_id, key_id, count(*), 0,
        sum((quantity ->> 'input')::int), sum((quantity ->> 'output')::int), sum(cost)
      from usage where org_id = ${owner.orgId} group by 1, 2, 3, 4, 5, 6, 7, 8`
    return (await key(owner)).key
  }
  const [smallTenantKey, largeTenantKey] = [await createTenant(FEW), await createTenant(MANY)]
  await sql`vacuum analyze usage`
  await sql`vacuum analyze usage_days`
  for (const groupBy of ['day', 'project', 'model']) {
    const read = async (secret: string) => {
      const response = await fetch(`${api.url}/api/v1/usage?groupBy=${groupBy}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      if (!response.ok) throw new Error(await response.text())
      await response.text()
    }
    await Promise.all([smallTenantKey, largeTenantKey].map(read))
    const times = await compareTimes(
      () => read(smallTenantKey),
      () => read(largeTenantKey),
      ROUNDS,
    )
    reportGrowth(`usage by ${groupBy}, ${MANY} and ${FEW} calls`, times)
  }
}
