import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { createPayer } from '../../../testing/clients/payer.ts'
import { bearer, shareTestApp, type TestApp } from '../../../testing/test-app.ts'
import { notifyAdmins } from './notify.ts'
import { reconcile } from './reconcile.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})
beforeEach(async () => void (await app.sql`delete from rate_limits`))

const path = '/api/v1/billing/machine-payments'

describe('POST /billing/machine-payments without a provider', () => {
  test('records a payment covered by a mandate, and never reports it as succeeded', async () => {
    const { pay, mandate, client, key, owner, org } = await createPayer(app)
    const { id: mandateId } = await mandate()
    const payment = await pay({ amount: '9.50', payee: { name: 'Data Inc.' }, metadata: { order: 7 } })
    expect(payment).toMatchObject({
      ...{ status: 'recorded', amount: '9.50', currency: 'usd', method: 'record', provider: null, mandateId },
      ...{ payee: { name: 'Data Inc.', url: null, account: null }, keyId: key.id, createdBy: owner.id },
      ...{ failure: null, receipt: null, approvalId: null, metadata: { order: 7 } },
    })
    // No adapter supports these methods, so that no money can move by them.
    for (const method of ['stripe', 'mpp', 'x402'] as const)
      expect(await pay({ method })).toMatchObject({ status: 'recorded', method, provider: null })
    expect((await client.mandates.list()).items[0]).toMatchObject({ spent: '39.50', spentToday: '39.50' })
    expect(await app.sql`select from usage where org_id = ${org.id}`).toHaveLength(0)
    const events = await app.sql`select type, payload from events where org_id = ${org.id} order by id`
    expect(events[0]).toMatchObject({
      type: 'billing.payment.created',
      payload: { paymentId: payment.id, status: 'recorded', amount: '9.50', currency: 'usd' },
    })
    const { timeline } = await client.machinePayments.get({ id: payment.id })
    expect(timeline.map(({ type, userName }) => [type, userName])).toEqual([
      ['created', 'Ada'],
      ['settled', null],
    ])
  })

  test('returns the first payment for a repeated key, and CONFLICT for another body', async () => {
    const { mandate, headers, org, client } = await createPayer(app)
    await mandate()
    const body = { amount: '5', currency: 'USD', reason: 'Data', idempotencyKey: 'order-1' }
    const post = (change = {}) => app.request('POST', path, { headers, body: { ...body, ...change } })
    const answers = await Promise.all(Array.from({ length: 8 }, () => post()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), 201])
    expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1)
    for (const change of [{ amount: '5.00' }, { currency: 'eur' }, { reason: 'x' }, { payee: { name: 'x' } }])
      expect((await post(change)).status).toBe(409)
    expect(await app.sql`select from machine_payments where org_id = ${org.id}`).toHaveLength(1)
    expect((await client.mandates.list()).items[0]!.spent).toBe('5.00')
    // The key of one organization is free in another.
    const other = await createPayer(app)
    expect(await other.pay(body)).toMatchObject({ status: 'requires_approval' })
  })

  test.each([
    ...[
      '1e3',
      '-1',
      '0',
      '0.00',
      '0.001',
      '1.234',
      '٣',
      '１',
      '1,5',
      ' 5',
      '5 ',
      '+5',
      '0x10',
      '.5',
      '5.',
      '',
      '00.5',
    ],
    ...['1000000000', 'NaN', 'Infinity', '1_000', '5\u0000', '5\n'],
  ])('refuses the amount %j and names the field', async (amount) => {
    const { headers } = await sharedPayer()
    const body = { amount, currency: 'usd', reason: 'x', idempotencyKey: newId() }
    const { status, body: answer } = await app.request('POST', path, { headers, body })
    expect([status, answer.error.details[0].path]).toEqual([400, 'body.amount'])
  })

  test("refuses unknown currencies, decimals a currency doesn't have, and numeric amounts", async () => {
    const { headers } = await sharedPayer()
    const fieldOf = async (change: object) => {
      const body = { amount: '5', currency: 'usd', reason: 'x', idempotencyKey: newId(), ...change }
      return (await app.request('POST', path, { headers, body })).body.error.details[0].path
    }
    expect(await fieldOf({ currency: 'usdt' })).toBe('body.currency')
    expect(await fieldOf({ currency: 'zzz' })).toBe('body.currency')
    expect(await fieldOf({ currency: 'jpy', amount: '5.0' })).toBe('body.amount')
    expect(await fieldOf({ amount: 5 })).toBe('body.amount')
    expect(await fieldOf({ idempotencyKey: '' })).toBe('body.idempotencyKey')
    expect(await fieldOf({ idempotencyKey: 'k'.repeat(256) })).toBe('body.idempotencyKey')
    expect(await fieldOf({ payee: { name: 'x', url: 'javascript:1' } })).toBe('body.payee.url')
    expect(await fieldOf({ mandateId: newId() })).toBe('body.mandateId')
    expect(await fieldOf({ runId: newId() })).toBe('body.runId')
  })

  let cachedPayer: Awaited<ReturnType<typeof createPayer>> | undefined
  const sharedPayer = async () => (cachedPayer ??= await createPayer(app))
})

describe('a mandate', () => {
  test('applies per day and in total to 20 concurrent payments', async () => {
    const { pay, mandate, client, byKey, org } = await createPayer(app)
    await mandate({ perPayment: '10', perDay: '55', total: '75' })
    const burst = async () => {
      const payments = await Promise.all(Array.from({ length: 20 }, () => pay()))
      return payments.filter(({ status }) => status === 'recorded').length
    }
    expect(await burst()).toBe(5)
    app.clock.advance(86_400)
    await app.sql`delete from rate_limits`
    expect(await burst()).toBe(2)
    const [row] = await app.sql`
      select (select spent from mandates where org_id = ${org.id}) - sum(amount) as difference from machine_payments
      where org_id = ${org.id} and status = 'recorded'`
    expect(Number(row!.difference)).toBe(0)
    const reasons = await client.machinePayments.list({ status: 'requires_approval', limit: 100 })
    expect(new Set(reasons.items.map(({ approval }) => approval!.reason))).toEqual(
      new Set(['per_day', 'total']),
    )
    expect(reasons.waitingCount).toBe(33)
    const member = await app.withSession(await app.person(org))
    const counts = [client, byKey, member].map(async (who) => (await who.approvals.list({})).waitingPayments)
    expect(await Promise.all(counts)).toEqual([33, 33, 0])
  })

  test("requires approval for a payment it doesn't cover, with the reason", async () => {
    const { pay, mandate, client, byKey, owner, org } = await createPayer(app)
    const account = 'acct_1Pgc1k2eZvKYlo2C'
    const { id } = await mandate({ payees: ['data.example.com', account, 'Data Inc.'], methods: ['record'] })
    const project = await app.project(owner)
    const projectMandate = await mandate({ holder: 'project', holderId: project.id, currency: 'eur' })
    const reasonOf = async (request: Parameters<typeof pay>[0]) => (await pay(request)).approval?.reason
    const payee = { name: 'Data Inc.' }
    expect(await reasonOf({ payee, amount: '10.01' })).toBe('per_payment')
    expect(await reasonOf({ payee, currency: 'eur' })).toBe('currency')
    expect(await reasonOf({ payee, method: 'mpp' })).toBe('method')
    expect(await reasonOf({})).toBe('payee')
    expect(await reasonOf({ payee: { name: 'Dаta Inc.' } })).toBe('payee')
    expect(await reasonOf({ payee: { ...payee, account: 'acct_other' } })).toBe('payee')
    expect(await reasonOf({ payee: { ...payee, url: 'https://data.example.com.evil.example' } })).toBe(
      'payee',
    )
    expect(await reasonOf({ payee: { name: 'x', url: 'https://data.example.com/pay' } })).toBeUndefined()
    expect(await reasonOf({ payee: { name: 'x', account } })).toBeUndefined()
    expect(await reasonOf({ payee, mandateId: projectMandate.id, currency: 'eur' })).toBe('no_mandate')
    expect(await reasonOf({ payee, projectId: project.id, currency: 'eur' })).toBeUndefined()
    const [foreign] = [await (await createPayer(app)).mandate()]
    await expect(pay({ mandateId: foreign.id })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const other = app.as(bearer(await app.key(owner, ['billing:machine:charge'])))
    const request = {
      amount: '1',
      currency: 'usd',
      reason: 'x',
      payee,
      idempotencyKey: 'other',
      mandateId: id,
    }
    expect(await other.machinePayments.create(request)).toMatchObject({ approval: { reason: 'no_mandate' } })
    await client.mandates.revoke({ id })
    expect(await reasonOf({ payee })).toBe('no_mandate')
    expect(await reasonOf({ payee, mandateId: id })).toBe('mandate_revoked')
    const brief = await mandate({ expiresAt: new Date(app.clock.now().getTime() + 1000).toISOString() })
    app.clock.advance(1)
    expect(await reasonOf({ mandateId: brief.id })).toBe('mandate_expired')
    const states = (await byKey.mandates.list()).items.map((item) => item.state)
    expect(states).toEqual(['active', 'expired', 'revoked'])
    const actions =
      await app.sql`select action from audit where org_id = ${org.id} and action like 'mandate.%'`
    expect(actions).toHaveLength(4)
  })

  test('is created only in a browser session with step-up, within the organization and with a limit over time', async () => {
    const { owner, key, byKey, mandate, org } = await createPayer(app)
    const body = { holder: 'key', holderId: key.id, currency: 'usd', perPayment: '1', total: '5' } as const
    await expect(byKey.mandates.create(body)).rejects.toMatchObject({
      details: { reason: 'browser_session_required' },
    })
    const cookie = (await app.session(owner, { steppedUp: false })).cookie
    await expect(app.as({ cookie }).mandates.create(body)).rejects.toMatchObject({
      details: { reason: 'step_up_required' },
    })
    const member = await app.withSession(await app.person(org))
    await expect(member.mandates.create(body)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const stranger = await createPayer(app)
    const invalid = [
      [{ holderId: stranger.key.id }, 'body.holderId'],
      [{ perDay: null }, 'body.total'],
      [{ perPayment: '1e3' }, 'body.perPayment'],
      [{ total: '0.001' }, 'body.total'],
      [{ expiresAt: '2020-01-01T00:00:00Z' }, 'body.expiresAt'],
    ] as const
    for (const [change, field] of invalid)
      await expect(mandate(change)).rejects.toMatchObject({ details: [{ path: field }] })
  })
})

describe('a payment awaiting approval', () => {
  test('is recorded when an admin approves it with step-up, and canceled when one denies it', async () => {
    const { pay, client, byKey, owner, org } = await createPayer(app)
    const [first, second] = [await pay(), await pay()]
    expect(first).toMatchObject({
      status: 'requires_approval',
      mandateId: null,
      approval: { reason: 'no_mandate' },
    })
    const { id } = first
    await expect(byKey.machinePayments.decide({ id, decision: 'approve' })).rejects.toMatchObject({
      details: { reason: 'browser_session_required' },
    })
    const cookie = (await app.session(owner, { steppedUp: false })).cookie
    await expect(
      app.as({ cookie }).machinePayments.decide({ id, decision: 'approve' }),
    ).rejects.toMatchObject({
      details: { reason: 'step_up_required' },
    })
    const decided = await Promise.allSettled([
      client.machinePayments.decide({ id, decision: 'approve', note: 'Fine' }),
      client.machinePayments.decide({ id, decision: 'approve', note: 'Fine' }),
    ])
    expect(decided.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await client.machinePayments.get({ id })).toMatchObject({
      status: 'recorded',
      approval: { decision: 'approved', decidedBy: owner.id, note: 'Fine' },
    })
    const denied = await client.machinePayments.decide({ id: second.id, decision: 'deny', note: 'Too early' })
    expect(denied).toMatchObject({ status: 'canceled', failure: { code: 'denied', message: 'Too early' } })
    await expect(client.machinePayments.refund({ id })).rejects.toMatchObject({ code: 'CONFLICT' })
    const types = await app.sql`select type from events where org_id = ${org.id} order by id`
    expect(types.map(({ type }) => type)).toContain('billing.payment.canceled')
  })

  test('is mailed to admins once an hour, and canceled after a day', async () => {
    const { pay, client, owner, org } = await createPayer(app)
    const { id } = await pay()
    await notifyAdmins(app.app.system(), { orgId: org.id })
    await notifyAdmins(app.app.system(), { orgId: org.id })
    const mails = await app.sql`select subject, body from mails where recipient = ${owner.email}`
    expect(mails).toEqual([
      {
        subject: 'A machine payment is waiting for approval',
        body: expect.stringMatching(/Decide: http\S+\/approvals\n/),
      },
    ])
    app.clock.advance(86_400)
    const late = (await app.withSession(owner)).machinePayments.decide({ id, decision: 'approve' })
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT', message: 'The approval has expired' })
    await reconcile('http://127.0.0.1:9')(app.app.system())
    expect(await client.machinePayments.get({ id })).toMatchObject({
      status: 'canceled',
      approval: { decision: 'expired' },
      failure: { code: 'approval_expired' },
    })
  })
})

test('plain members, keys without the scope and read-only keys cannot pay', async () => {
  const { owner, org } = await createPayer(app)
  const member = await app.person(org)
  const body = { amount: '1', currency: 'usd', reason: 'x', idempotencyKey: 'x' }
  const callers = [
    await app.withKey(owner, ['terminal']),
    await app.withKey(member, ['billing:machine:charge']),
    await app.withSession(member),
    app.as(bearer(await app.key(owner, ['billing:machine:charge'], { readOnly: true }))),
  ]
  for (const caller of callers)
    await expect(caller.machinePayments.create(body)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
