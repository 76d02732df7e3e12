import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../../server/features/billing/machine-payments/reconcile.ts'
import { createPayer, type Payer } from '../../server/testing/clients/payer.ts'
import { type StripeServer, startStripe } from '../../server/testing/fakes/stripe.ts'
import { buildTestApp, type TestApp } from '../../server/testing/test-app.ts'
import { listOpenBackends, listStoppedBackends } from './backends.ts'
import { createFleet } from './server-processes.ts'

const LOCK = 4343

let stripe: StripeServer
let app: TestApp
let fleet: ReturnType<typeof createFleet>
beforeAll(async () => {
  stripe = await startStripe()
  const env = { ATRIUM_STRIPE_URL: stripe.url, ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1' }
  app = await buildTestApp({ env })
  const connection = app.connection as Exclude<TestApp['connection'], string>
  fleet = createFleet({ sql: app.sql, connection, folder: app.dataFolder, env })
})
afterAll(async () => {
  await fleet.close()
  await app.close()
  await stripe.close()
})

/**
 * Blocks the transaction that sets a payment to a status: before its commit if the reason of the payment is `in <status>`,
 * during its commit if it is `after <status>`.
 */
const STOPS = `
  create function stop_payment() returns trigger language plpgsql as $$
    begin
      if new.reason = tg_argv[0] || ' ' || new.status then
        perform pg_advisory_xact_lock_shared(${LOCK});
      end if;
      return null;
    end $$;
  create trigger payment_in after insert or update on machine_payments for each row execute function stop_payment('in');
  create constraint trigger payment_after after insert or update on machine_payments deferrable initially deferred
    for each row execute function stop_payment('after');`

/**
 * For each point at which the process is killed: the status of the payment after reconciliation (null: not stored) and the
 * number of charges. `hang-before` and `hang-after` are during the request to Stripe, before and after it charges.
 */
const POINTS = {
  'in processing': { status: null, charges: 0 },
  'after processing': { status: 'failed', charges: 0 },
  'hang-before': { status: 'failed', charges: 0 },
  'hang-after': { status: 'succeeded', charges: 1 },
  'in succeeded': { status: 'succeeded', charges: 1 },
  'after succeeded': { status: 'succeeded', charges: 1 },
} as const

const listStoppedPids = async () => (await listStoppedBackends(app.sql, LOCK)).map(({ pid }) => pid)

test('a payment whose process dies around a commit or the Stripe request is charged at most once', async () => {
  await app.sql.unsafe(STOPS)
  const holder = await app.sql.reserve()
  await holder`select pg_advisory_lock(${LOCK})`
  const server = await fleet.start()
  const payers = new Map<string, Payer>()
  const toRollBack: number[] = []
  for (const point of Object.keys(POINTS)) {
    const payer = await createPayer(app)
    await payer.connectStripe()
    await payer.mandate({ total: '100' })
    const before = await listStoppedPids()
    const hanging = stripe.hanging()
    const body = { amount: '10.00', currency: 'usd', reason: point, idempotencyKey: point }
    const headers = { ...payer.headers, 'content-type': 'application/json' }
    const url = `${server.url}/api/v1/billing/machine-payments`
    void fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => {})
    const isStopped = async () =>
      stripe.hanging() > hanging || (await listStoppedPids()).length > before.length
    await expect.poll(isStopped).toBe(true)
    const reached = (await listStoppedPids()).find((pid) => !before.includes(pid))
    if (reached && point.startsWith('in ')) toRollBack.push(reached)
    payers.set(point, payer)
  }
  await server.kill()
  const backends = await listStoppedPids()
  expect(backends).toHaveLength(4)
  for (const pid of toRollBack) await app.sql`select pg_terminate_backend(${pid})`
  await holder`select pg_advisory_unlock(${LOCK})`
  holder.release()
  await expect.poll(() => listOpenBackends(app.sql, backends)).toHaveLength(0)

  for (const seconds of [61, 15 * 60]) {
    app.clock.advance(seconds)
    await reconcile(stripe.url)(app.app.system())
  }
  const found: Record<string, unknown> = {}
  for (const [point, { client, org }] of payers) {
    const [payment] = await app.sql`select id, status from machine_payments where org_id = ${org.id}`
    const [sums] = await app.sql`
      select (select count(*)::int from usage where org_id = ${org.id}) as entries,
        (select spent::float from mandates where org_id = ${org.id}) as spent,
        (select count(*)::int from reservations where org_id = ${org.id}) as reserved`
    const charges = stripe.intents.filter(({ metadata }) => metadata.atrium_payment === payment?.id).length
    const sent = stripe.requests.filter(({ key }) => key === payment?.id).length
    expect([point, sums, sent <= 1]).toEqual([
      point,
      { entries: charges, spent: charges * 10, reserved: 0 },
      true,
    ])
    found[point] = { status: payment?.status ?? null, charges }
    // A caller that repeats the request gets this payment, or makes the payment if it was not stored.
    const repeated = await app.as(payers.get(point)!.headers).machinePayments.create({
      ...{ amount: '10.00', currency: 'usd', reason: point, idempotencyKey: point },
    })
    expect(repeated.status).toBe(payment?.status ?? 'succeeded')
    expect((await client.mandates.list()).items[0]!.spent).toBe(
      repeated.status === 'succeeded' ? '10.00' : '0.00',
    )
  }
  expect(found).toEqual(POINTS)
  expect(stripe.intents).toHaveLength(4)
})
