import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildSmsApp, createSmsUser, nextPeer, type SmsApp } from '../../../../testing/clients/sms-app.ts'
import { upload } from '../../../../testing/factories/uploads.ts'
import { bearer } from '../../../../testing/test-app.ts'

let app: SmsApp
beforeAll(async () => {
  app = await buildSmsApp()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`)

const errorWith = (reason: string) => ({ code: 'BAD_REQUEST', details: { reason } })

test("a message is queued, sent once, and its status follows the carrier's, never backwards", async () => {
  const { client, number, waitForMessages, sentTo, projectId } = await createSmsUser(app)
  const to = nextPeer()
  const idempotencyKey = 'the-same-message'
  const send = () => client.sms.send({ to, body: 'Hello {credentials.authToken} 😀' }, { idempotencyKey })
  const queued = await send()
  expect(queued).toMatchObject({ status: 'queued', from: number.e164, segments: 1, encoding: 'UCS-2' })
  expect((await send()).id).toBe(queued.id)
  expect(await waitForMessages(to, 1)).toEqual(['Hello {credentials.authToken} 😀'])
  const [record] = sentTo(to)
  const status = () => client.sms.get({ id: queued.id })
  await expect.poll(status).toMatchObject({ status: 'sent', cost: { isEstimate: true } })
  await app.carrier.smsStatus(record!, 'undelivered', 30_005)
  await app.carrier.smsStatus(record!, 'undelivered', 30_005)
  await app.carrier.smsStatus(record!, 'sent')
  await app.carrier.smsStatus(record!, 'delivered')
  expect(await status()).toMatchObject({
    status: 'undelivered',
    errorCode: '30005',
    errorMessage: 'The recipient’s number is unknown',
  })
  const events = await app.sql`
    select type, payload ->> 'smsId' as id from events
    where payload ->> 'projectId' = ${projectId} and type like 'sms.%' order by id`
  expect(events).toMatchObject([
    { type: 'sms.sent', id: queued.id },
    { type: 'sms.failed', id: queued.id },
  ])
})

test('a message is refused with a readable reason: no number, opted out, another country, budget reached', async () => {
  const { client, number, org } = await createSmsUser(app)
  const other = await createSmsUser(app)
  const body = 'Hello'
  const to = nextPeer()
  await expect(client.sms.send({ to, body, from: other.number.e164 })).rejects.toMatchObject(
    errorWith('no_number'),
  )
  await expect(client.sms.send({ to, body, numberId: other.number.id })).rejects.toMatchObject(
    errorWith('no_number'),
  )
  await expect(client.sms.send({ to: '+33612345678', body })).rejects.toMatchObject(
    errorWith('destination_not_allowed'),
  )
  await client.sms.addOptOut({ numberId: number.id, recipient: to })
  await expect(client.sms.send({ to, body })).rejects.toMatchObject(errorWith('recipient_opted_out'))
  await client.sms.removeOptOut({ numberId: number.id, recipient: to })
  await client.budgets.put({ scope: 'org', id: org.id, period: 'day', amount: '0.01', onReach: 'stop' })
  await expect(client.sms.send({ to, body: 'x'.repeat(1600) })).rejects.toMatchObject(
    errorWith('budget_reached'),
  )
  const { client: outsider } = await app.newUser()
  await expect(outsider.sms.send({ to, body })).rejects.toMatchObject(errorWith('no_number'))
  expect(await app.sql`select from sms_messages where org_id = ${org.id}`).toHaveLength(0)
})

test('a definite refusal fails with a message; an opt-out known only to the carrier is recorded', async () => {
  const { client, number, sentTo } = await createSmsUser(app)
  const to = nextPeer()
  app.carrier.fail('POST Messages.json', { status: 400, code: 21610, message: 'Unsubscribed' })
  const { id } = await client.sms.send({ to, body: 'Hello' })
  await expect
    .poll(() => client.sms.get({ id }), { timeout: 10_000 })
    .toMatchObject({ status: 'failed', errorCode: '21610', errorMessage: expect.stringContaining('STOP') })
  const { items } = await client.sms.optOuts({ numberId: number.id })
  expect(items).toMatchObject([{ recipient: to, source: 'carrier' }])
  await expect(client.sms.send({ to, body: 'Hello' })).rejects.toMatchObject(errorWith('recipient_opted_out'))
  expect(sentTo(to)).toHaveLength(0)
})

test('a message the carrier cannot take now is sent later, once', async () => {
  const { client, sentTo, waitForMessages } = await createSmsUser(app)
  const to = nextPeer()
  app.carrier.fail('POST Messages.json', { status: 429, code: 20_429, message: 'Slow' }, { status: 503 })
  const { id } = await client.sms.send({ to, body: 'Patience' })
  const findQueued = () => app.sql`select attempts from sms_messages where id = ${id} and status = 'queued'`
  for (const attempts of [1, 2]) {
    await expect.poll(findQueued, { timeout: 10_000 }).toEqual([{ attempts }])
    app.clock.advance(60)
  }
  await waitForMessages(to, 1)
  await expect.poll(() => client.sms.get({ id })).toMatchObject({ status: 'sent' })
  expect(sentTo(to)).toHaveLength(1)
})

test('a message with a lost response is found at the carrier and not sent twice', async () => {
  const { client, sentTo, waitForMessages } = await createSmsUser(app)
  const to = nextPeer()
  app.carrier.fail('POST Messages.json', 'lose-response')
  const { id } = await client.sms.send({ to, body: 'Once' })
  await waitForMessages(to, 1)
  sentTo(to)[0]!.resource.date_created = app.clock.now().toUTCString()
  app.clock.advance(20)
  await expect.poll(() => client.sms.get({ id }), { timeout: 10_000 }).toMatchObject({ status: 'sent' })
  expect(sentTo(to)).toHaveLength(1)

  // The list of the carrier does not have this one: it counts as failed, until a status proves that it was sent.
  app.carrier.fail('POST Messages.json', 'lose-response')
  const { id: lostId } = await client.sms.send({ to, body: 'Lost' })
  const requestsBefore = app.carrier.requestsTo('GET Messages.json').length
  const isSettled = async () => {
    const [row] = await app.sql`
      select status = 'failed' or due_at > ${app.clock.now()} as settled from sms_messages where id = ${lostId}`
    return row!.settled
  }
  for (let n = 1; n <= 3; n++) {
    await expect.poll(isSettled).toBe(true)
    app.clock.advance(60)
  }
  await expect
    .poll(() => client.sms.get({ id: lostId }), { timeout: 10_000 })
    .toMatchObject({ status: 'failed', errorMessage: expect.stringContaining('may have been sent') })
  expect(app.carrier.requestsTo('GET Messages.json').length).toBeGreaterThan(requestsBefore)
  expect(sentTo(to)).toHaveLength(2)
  await app.carrier.smsStatus(sentTo(to)[1]!, 'delivered')
  expect(await client.sms.get({ id: lostId })).toMatchObject({ status: 'delivered', errorMessage: null })
})

test('a process killed after its request does not send the message again', async () => {
  const { client, sentTo, waitForMessages, number, org } = await createSmsUser(app)
  const to = nextPeer()
  const { id } = await client.sms.send({ to, body: 'Crash' })
  await waitForMessages(to, 1)
  const [record] = sentTo(to)
  await expect.poll(() => client.sms.get({ id })).toMatchObject({ status: 'sent' })
  record!.resource.date_created = app.clock.now().toUTCString()
  // The state after a killed process: the intention is stored, the response is not.
  await app.sql`
    update sms_messages set status = 'sending', provider_id = null, sent_at = null, attempted_at = ${app.clock.now()},
      due_at = ${app.clock.now()} where id = ${id}`
  // Another process looks for it after the lease, when the carrier cannot be reached at first.
  app.clock.advance(300)
  app.carrier.fail('GET Messages.json', { status: 503 })
  await app.sql`
    update sms_senders set due_at = ${app.clock.now()}, held_until = null
    where org_id = ${org.id} and number_id = ${number.id}`
  await expect
    .poll(() => app.sql`select from sms_messages where id = ${id} and due_at > ${app.clock.now()}`)
    .toHaveLength(1)
  app.clock.advance(20)
  await expect.poll(() => client.sms.get({ id }), { timeout: 10_000 }).toMatchObject({ status: 'sent' })
  expect(sentTo(to)).toHaveLength(1)
  const costs = await app.sql`select from telephony_costs where subject_id = ${id}`
  expect(costs).toHaveLength(1)
})

test('a number sends one message per second, in order, and delays no other number', async () => {
  const slow = await createSmsUser(app)
  const quick = await createSmsUser(app)
  const [to, other] = [nextPeer(), nextPeer()]
  for (const body of ['1', '2', '3']) await slow.client.sms.send({ to, body })
  await slow.waitForMessages(to, 1)
  await quick.client.sms.send({ to: other, body: 'quick' })
  await quick.waitForMessages(other, 1)
  expect(await slow.waitForMessages(to, 3)).toEqual(['1', '2', '3'])
  const sent = () => slow.client.sms.list({ peer: to, status: 'sent' })
  await expect.poll(async () => (await sent()).items.length).toBe(3)
  const times = await app.sql<{ at: string }[]>`
    select sent_at as at from sms_messages where number_id = ${slow.number.id} order by id`
  const gaps = times.slice(1).map(({ at }, n) => Date.parse(at) - Date.parse(times[n]!.at))
  // From the end of one request to the end of the next.
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(900)
})

test('files the sender can read are sent as expiring URLs; others are refused', async () => {
  const { client, person, projectId, sentTo, waitForMessages } = await createSmsUser(app)
  const other = await createSmsUser(app)
  const to = nextPeer()
  const storeFile = async (by: typeof person, project: string, content: string) => {
    const headers = bearer(await app.key(by, ['files:write']))
    const { body } = await upload(app, headers, content, { fields: { projectId: project } })
    return body.data.id as string
  }
  const ownFile = await storeFile(person, projectId, 'a note')
  const foreignFile = await storeFile(other.person, other.projectId, 'a secret')
  await expect(client.sms.send({ to, body: 'x', mediaFileIds: [foreignFile] })).rejects.toMatchObject({
    message: expect.stringContaining('mediaFileIds.0'),
  })
  await client.sms.send({ to, body: 'See the file', mediaFileIds: [ownFile] })
  await waitForMessages(to, 1)
  const url = sentTo(to)[0]!.form.get('MediaUrl')!
  expect(await (await fetch(url)).text()).toBe('a note')
  app.clock.advance(2 * 3600)
  expect((await fetch(url)).status).toBeGreaterThanOrEqual(400)
  app.clock.reset()
})
