import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PUBLISHED_EVENT_TYPES } from '../../../contract/webhooks/event-types.ts'
import { claimDue } from '../../../server/features/billing/machine-payments/payment-queries.ts'
import { reconcile } from '../../../server/features/billing/machine-payments/reconcile.ts'
import { toStripeAmount } from '../../../server/features/billing/machine-payments/stripe/charge.ts'
import { STRIPE_VERSION } from '../../../server/features/billing/machine-payments/stripe/request.ts'
import { createPayer } from '../../../server/testing/clients/payer.ts'
import {
  CUSTOMER,
  DECLINED,
  NEEDS_ACTION,
  type StripeServer,
  startStripe,
} from '../../../server/testing/fakes/stripe.ts'
import { buildTestApp, type TestApp } from '../../../server/testing/test-app.ts'

let stripe: StripeServer
let app: TestApp
beforeAll(async () => {
  stripe = await startStripe()
  const env = { ATRIUM_STRIPE_URL: stripe.url, ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.1' }
  app = await buildTestApp({ env })
})
afterAll(async () => {
  await app.close()
  await stripe.close()
})
beforeEach(async () => void (await app.sql`delete from rate_limits`))

/** A payer with a provider, and a mandate without a limit that matters here. */
async function connectedPayer(paymentMethodId?: string) {
  const payer = await createPayer(app)
  await payer.connectStripe(paymentMethodId)
  const { id: mandateId } = await payer.mandate({ perPayment: '100', total: '1000' })
  return { ...payer, mandateId, spent: async () => (await payer.client.mandates.list()).items[0]!.spent }
}

const intentsOf = (id: string) => stripe.intents.filter(({ metadata }) => metadata.atrium_payment === id)
const runReconcile = () => reconcile(stripe.url)(app.app.system())
const chargesOf = (id: string) => stripe.requests.filter(({ key }) => key === id).length

test("the local server and the adapter use the Stripe library's protocol", async () => {
  const library = new Stripe('rk_test_local', {
    host: '127.0.0.1',
    port: stripe.port,
    protocol: 'http',
    maxNetworkRetries: 0,
  })
  expect(library.getApiField('version')).toBe(STRIPE_VERSION)
  const parameters = {
    ...{
      amount: 1250,
      currency: 'usd',
      customer: CUSTOMER,
      payment_method: 'pm_card_visa',
      off_session: true,
    },
    ...{ confirm: true, metadata: { atrium_payment: 'library' }, expand: ['latest_charge'] },
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const },
  }
  const create = (change = {}) =>
    library.paymentIntents.create({ ...parameters, ...change }, { idempotencyKey: 'library-1' })
  const intent = await create()
  expect(intent).toMatchObject({ object: 'payment_intent', status: 'succeeded', amount: 1250 })
  expect((await create()).id).toBe(intent.id)
  await expect(create({ amount: 1 })).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  const declined = library.paymentIntents.create({ ...parameters, payment_method: DECLINED })
  await expect(declined).rejects.toMatchObject({
    type: 'StripeCardError',
    decline_code: 'insufficient_funds',
  })
  expect(
    (await library.paymentIntents.list({ customer: CUSTOMER, limit: 100 })).data.map(({ id }) => id),
  ).toContain(intent.id)
  const fieldsOfLibrary = stripe.requests.find(({ key }) => key === 'library-1')!.fields
  const { pay } = await connectedPayer()
  const payment = await pay({ amount: '12.50' })
  const ours = stripe.requests.find(({ key }) => key === payment.id)!.fields
  expect({ ...ours, description: undefined, 'metadata[atrium_payment]': 'library' }).toEqual({
    ...fieldsOfLibrary,
    description: undefined,
  })
})

test.each([
  ['12.50', 'usd', '1250'],
  ['0.5', 'usd', '50'],
  ['1000', 'jpy', '1000'],
  ['5', 'ugx', '500'],
  ['5', 'isk', '500'],
  ['5.12', 'kwd', '5120'],
  ['5.123', 'kwd', null],
  ['5.5', 'jpy', null],
  ['5.5', 'ugx', null],
  ['5.125', 'iqd', null],
])('the amount %s %s is %s at Stripe', (amount, currency, expected) => {
  expect(toStripeAmount(amount, currency)).toBe(expected)
})

describe('a payment', () => {
  test('is charged once, with its id as the idempotency key, and entered in the ledger', async () => {
    const { pay, client, org, spent, mandateId, owner } = await connectedPayer()
    const project = await app.project(owner)
    const request = { amount: '12.50', projectId: project.id, idempotencyKey: 'order' }
    const payments = await Promise.all([pay(request), pay(request)])
    const payment = await client.machinePayments.get({ id: payments[0].id })
    expect(payment).toMatchObject({
      ...{ status: 'succeeded', provider: 'stripe', method: 'stripe', mandateId },
      receipt: { reference: expect.stringMatching(/^ch_/), url: expect.stringMatching(/^https:/) },
      providerReference: intentsOf(payment.id)[0]!.id,
    })
    expect([intentsOf(payment.id).length, chargesOf(payment.id), await spent()]).toEqual([1, 1, '12.50'])
    const rows = await app.sql`select kind, cost, model, payment_id as id from usage where org_id = ${org.id}`
    expect(rows).toEqual([{ kind: 'payment', cost: '12.500000', model: 'payment/stripe', id: payment.id }])
    expect((await client.projects.get({ id: project.id })).spend.amount).toBe('12.500000')
    expect((await client.usage.get({ groupBy: 'model' })).items).toMatchObject([
      { key: 'payment/stripe', cost: { amount: '12.500000' } },
    ])
    const types = await app.sql`select type from events where org_id = ${org.id} order by id`
    expect(types.map(({ type }) => type).filter((type) => /payment/.test(type))).toEqual([
      'billing.payment.created',
      'billing.payment.succeeded',
    ])
  })

  test("fails with Stripe's reason, and the mandate does not count it", async () => {
    const declined = await connectedPayer(DECLINED)
    expect(await declined.pay()).toMatchObject({
      status: 'failed',
      failure: { code: 'insufficient_funds', message: 'Your card was declined.' },
    })
    expect(await declined.spent()).toBe('0.00')
    const needsAction = await connectedPayer(NEEDS_ACTION)
    const payment = await needsAction.pay()
    expect(payment).toMatchObject({ status: 'failed', failure: { code: 'intent_requires_action' } })
    // It can no longer be paid at the bank.
    expect(intentsOf(payment.id)).toMatchObject([{ status: 'canceled' }])
    await expect(needsAction.pay({ payee: { name: 'x', account: 'DE89' } })).rejects.toMatchObject({
      details: [{ path: 'body.payee.account' }],
    })
    await expect(needsAction.pay({ currency: 'kwd', amount: '1.001' })).rejects.toMatchObject({
      details: [{ path: 'body.amount' }],
    })
  })

  test('is unknown after a lost response until Stripe reports it, and never charged again', async () => {
    const { pay, client, spent, org } = await connectedPayer()
    stripe.fail('lose-response')
    const { id, status } = await pay()
    expect([status, await spent()]).toEqual(['unknown', '10.00'])
    await runReconcile()
    expect((await client.machinePayments.get({ id })).status).toBe('unknown')
    app.clock.advance(61)
    await Promise.all([runReconcile(), runReconcile()])
    const payment = await client.machinePayments.get({ id })
    expect([payment.status, chargesOf(id), intentsOf(id).length]).toEqual(['succeeded', 1, 1])
    expect(payment.timeline.map(({ type }) => type)).toEqual([
      'created',
      'charge_sent',
      'answered',
      'inquiry_sent',
      'answered',
    ])
    expect(await app.sql`select from usage where org_id = ${org.id}`).toHaveLength(1)
  })

  test.each(['lose-request', 'server-error'] as const)(
    'fails later if Stripe never received it (%s), and the mandate does not count it',
    async (fault) => {
      const { pay, client, spent } = await connectedPayer()
      stripe.fail(fault)
      const { id, status } = await pay()
      expect(status).toBe('unknown')
      app.clock.advance(61)
      await runReconcile()
      expect([(await client.machinePayments.get({ id })).status, await spent()]).toEqual(['unknown', '10.00'])
      app.clock.advance(15 * 60)
      await runReconcile()
      expect(await client.machinePayments.get({ id })).toMatchObject({
        status: 'failed',
        failure: { code: 'not_received' },
      })
      expect([chargesOf(id), intentsOf(id).length, await spent()]).toEqual([1, 0, '0.00'])
    },
  )

  test('stays unknown after a lost response while the provider is removed', async () => {
    const { pay, client, connectStripe } = await connectedPayer()
    stripe.fail('lose-response')
    const { id } = await pay()
    await client.paymentProvider.remove()
    app.clock.advance(61)
    await runReconcile()
    expect((await client.machinePayments.get({ id })).status).toBe('unknown')
    await connectStripe()
    app.clock.advance(61)
    await runReconcile()
    expect([(await client.machinePayments.get({ id })).status, chargesOf(id)]).toEqual(['succeeded', 1])
  })

  test('is reserved on budgets: concurrent payments never exceed one, and a refund releases the amount', async () => {
    const { pay, client, org, owner } = await connectedPayer()
    await client.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '35', onReach: 'stop' })
    const payments = await Promise.all(Array.from({ length: 8 }, () => pay()))
    const paid = payments.filter(({ status }) => status === 'succeeded')
    expect(paid).toHaveLength(3)
    expect(payments.find(({ status }) => status === 'failed')).toMatchObject({
      failure: { code: 'budget_reached' },
    })
    const budget = async () => (await client.budgets.list()).items[0]!
    expect(await budget()).toMatchObject({ spent: '30.000000', reserved: '0.000000' })
    const { id } = paid[0]!
    stripe.fail('lose-response')
    expect(await client.machinePayments.refund({ id })).toMatchObject({
      status: 'succeeded',
      refund: { status: 'processing', requestedBy: owner.id },
    })
    expect((await client.machinePayments.refund({ id })).status).toBe('succeeded')
    app.clock.advance(61)
    await runReconcile()
    expect(await client.machinePayments.refund({ id })).toMatchObject({
      status: 'refunded',
      refund: { status: 'succeeded' },
    })
    expect(
      stripe.refunds.filter(({ payment_intent }) => payment_intent === paid[0]!.providerReference),
    ).toHaveLength(1)
    expect(await budget()).toMatchObject({ spent: '20.000000' })
    // A budget that pauses leaves the decision to a person, who has to raise it first.
    await client.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '25', onReach: 'pause' })
    const waiting = await pay()
    expect(waiting).toMatchObject({ status: 'requires_approval', approval: { reason: 'budget' } })
    const approve = () => client.machinePayments.decide({ id: waiting.id, decision: 'approve' })
    await expect(approve()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/raise it first/),
    })
    const inEuros = await pay({ currency: 'eur', amount: '1' })
    expect(inEuros).toMatchObject({ status: 'requires_approval' })
    await expect(
      client.machinePayments.decide({ id: inEuros.id, decision: 'approve' }),
    ).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/a payment in eur$/) })
    await client.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '30', onReach: 'pause' })
    expect(await approve()).toMatchObject({ status: 'succeeded', mandateId: null })
    const [ledger] = await app.sql`
      select (select sum(cost) from usage where org_id = ${org.id}) - (select amount from spend where org_id = ${org.id})
        as difference, (select count(*)::int from reservations where org_id = ${org.id}) as open`
    expect(ledger).toEqual({ difference: '0.000000', open: 0 })
  })
})

describe('PUT /billing/payment-provider', () => {
  test('checks the key with Stripe, stores it sealed and never returns it', async () => {
    const { client, connectStripe, org, byKey } = await createPayer(app)
    const { provider } = await connectStripe()
    expect(provider).toMatchObject({ kind: 'stripe', mode: 'test', lastFour: 'lo2C', customerId: CUSTOMER })
    expect(JSON.stringify(await client.paymentProvider.get())).not.toContain('rk_test')
    const [row] = await app.sql`select key_sealed as sealed from payment_providers where org_id = ${org.id}`
    expect(row!.sealed).toMatch(/^v1\./)
    const set = { kind: 'stripe', apiKey: 'rk_test_51Pgc1k2eZvKYlo2C', customerId: CUSTOMER } as const
    const fieldOf = (change: object) =>
      client.paymentProvider
        .put({ ...set, paymentMethodId: 'pm_card_visa', ...change })
        .catch(({ details }) => details[0].path)
    expect(await fieldOf({ apiKey: 'sk_live_wrongwrong' })).toBe('body.apiKey')
    expect(await fieldOf({ apiKey: 'pk_test_51Pgc1k2eZvKYlo2C' })).toBe('body.apiKey')
    expect(await fieldOf({ paymentMethodId: 'pm_other' })).toBe('body.paymentMethodId')
    expect(await fieldOf({ customerId: 'cus_Other' })).toBe('body.customerId')
    await expect(
      byKey.paymentProvider.put({ ...set, paymentMethodId: 'pm_card_visa' }),
    ).rejects.toMatchObject({
      details: { reason: 'browser_session_required' },
    })
  })
})

test('organizations take turns: many due payments in one do not delay another', async () => {
  const [busy, other] = [await createPayer(app), await createPayer(app)]
  const payAndMakeDue = async ({ pay }: typeof busy, idempotencyKey: string, at: string) => {
    const { id } = await pay({ idempotencyKey })
    await app.sql`update machine_payments set due_at = ${at} where id = ${id}`
    return id
  }
  for (let n = 0; n < 5; n++) await payAndMakeDue(busy, `${n}`, '2026-01-01T00:00:00Z')
  const id = await payAndMakeDue(other, 'one', '2026-01-02T00:00:00Z')
  const claimed = await claimDue(app.sql, { now: new Date('2026-01-03T00:00:00Z'), limit: 2 })
  expect(claimed.map((payment) => payment.id)).toContain(id)
})

test('the payments above published every payment event', async () => {
  const rows = await app.sql<
    { type: string }[]
  >`select distinct type from events where type like 'billing.payment.%'`
  // Denied payments are in machine-payments.test.ts.
  const types = PUBLISHED_EVENT_TYPES.filter((name) => /^billing.payment.(?!canceled)/.test(name))
  expect(rows.map(({ type }) => type).toSorted()).toEqual(types.toSorted())
})
