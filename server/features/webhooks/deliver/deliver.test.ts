import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { startReceiver } from '../../../testing/fakes/receiver.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { ClaimedDelivery } from './claim.ts'
import { deliver } from './deliver.ts'

let app: TestApp
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
  receiver = await startReceiver()
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

const createOwner = async () => {
  const org = await app.organization()
  const person = await app.person(org, { role: 'owner' })
  return { org, person, client: await app.withSession(person) }
}

test('a received event is verified, stored and forwarded with an Atrium signature', async () => {
  const { client } = await createOwner()
  const hook = await client.webhooks.create({ name: 'Orders', url: receiver.url })
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const body = JSON.stringify({ type: 'order.paid', id: 'evt_1', amount: 5 })
  const response = await app.request('POST', new URL(hook.receiveUrl).pathname, {
    headers: { 'x-webhook-secret': hook.secret, 'webhook-id': 'evt_1' },
    body,
  })
  expect(response).toMatchObject({ status: 202, body: { status: 'received', duplicate: false } })
  await expect.poll(() => receiver.requests.length).toBe(1)
  const [received] = receiver.requests
  expect(new Standard(hook.secret).verify(received!.body, received!.headers)).toMatchObject({
    id: response.body.eventId,
    type: 'order.paid',
    source: 'custom',
    data: { amount: 5 },
  })
  await expect
    .poll(async () => (await client.webhooks.event({ eventId: response.body.eventId })).status)
    .toBe('delivered')
  const event = await client.webhooks.event({ eventId: response.body.eventId })
  expect(event).toMatchObject({
    externalId: 'evt_1',
    verification: { scheme: 'secret', result: 'valid' },
    headers: { 'x-webhook-secret': '[redacted]' },
    deliveries: [
      {
        status: 'succeeded',
        attempt: 1,
        attempts: [{ attempt: 1, response: { status: 200, body: 'thanks' } }],
      },
    ],
  })
  const again = await app.request('POST', new URL(hook.receiveUrl).pathname, {
    headers: { 'x-webhook-secret': hook.secret, 'webhook-id': 'evt_1' },
    body,
  })
  expect(again).toMatchObject({ status: 200, body: { eventId: response.body.eventId, duplicate: true } })
  expect(await client.webhooks.list()).toMatchObject({ items: [{ deliveryCount: 1, name: 'Orders' }] })
})

test('deliver reports an undecryptable secret as a failed attempt, and throws any other error', async () => {
  const delivery: ClaimedDelivery = {
    orgId: newId(),
    id: newId(),
    webhookId: newId(),
    url: receiver.url,
    attempt: 1,
    trigger: 'scheduled',
    failingSince: null,
    timeouts: 0,
    event: { id: newId(), type: 'key.created', source: 'atrium', payload: {}, receivedAt: '', hops: null },
    body: null,
    trace: null,
    secretSealed: 'not sealed',
    previousSecretSealed: null,
    previousSecretUntil: null,
  }
  const ctx = app.app.system()
  await expect(deliver(ctx, delivery)).resolves.toBe(false)
  const open = () => {
    throw new TypeError('a bug')
  }
  await expect(deliver({ ...ctx, vault: { ...ctx.vault, open } }, delivery)).rejects.toThrow('a bug')
})
