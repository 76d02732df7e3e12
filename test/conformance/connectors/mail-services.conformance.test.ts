import { expect, test } from 'vitest'
import { resend } from '../../../server/features/connections/connectors/catalog/mail/resend.ts'
import { sendgrid } from '../../../server/features/connections/connectors/catalog/mail/sendgrid.ts'
import {
  expectSameRequests,
  failure,
  type ToolCase,
  toComparable,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { registeredEndpoint } from '../../../server/features/connections/connectors/catalog/testing/received.ts'
import { recordRequests } from '../../../server/features/connections/connectors/catalog/testing/recording-server.ts'
import {
  captureRequest,
  createTarget,
  sentRequest,
} from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'
import { buildRequest } from '../../../server/features/connections/connectors/requests/build-request.ts'

const resendClient = async (url: string) => {
  const { Resend } = await import('resend')
  return new Resend('re_token', { baseUrl: url })
}
const MAIL = { from: 'A <a@example.com>', to: ['b@example.com'], subject: 'Hi', text: 'Hello {id}' }
const RESEND: ToolCase[] = [
  [
    'send_email',
    { ...MAIL, cc: ['c@example.com'], replyTo: 'r@example.com' },
    async (url) =>
      (await resendClient(url)).emails.send({ ...MAIL, cc: ['c@example.com'], replyTo: 'r@example.com' }),
  ],
  ['get_email', { id: 'e 1' }, async (url) => (await resendClient(url)).emails.get('e%201')],
  ['list_domains', {}, async (url) => (await resendClient(url)).domains.list()],
  ['get_received_email', { id: 'e1' }, async (url) => (await resendClient(url)).emails.receiving.get('e1')],
]

test("resend sends its SDK's requests with an idempotency key", async () => {
  const target = createTarget(resend)
  await expectSameRequests(target, RESEND)
  const { headers } = await captureRequest(target, 'send_email', MAIL)
  expect(headers).toMatchObject({ authorization: 'Bearer token', 'idempotency-key': 'key-of-the-call' })
})

test('resend registers, changes and removes a webhook as its SDK does', async () => {
  const { setup } = resend.receiver!
  if (setup.by !== 'api') throw new Error('resend has an API')
  const endpoint = registeredEndpoint({ events: ['resend.email.received'] })
  const { request, keep, secret } = setup.register(endpoint)
  const kept = keep!({ id: 'w1', signing_secret: 'whsec_1' })
  expect([kept, secret!({ id: 'w1', signing_secret: 'whsec_1' })]).toEqual([{ webhookId: 'w1' }, 'whsec_1'])
  const [created, updated, removed] = await recordRequests(async (url) => {
    const { webhooks } = await resendClient(url)
    await webhooks.create({ endpoint: endpoint.url, events: ['email.received'] })
    await webhooks.update('w1', { endpoint: endpoint.url, events: ['email.received'], status: 'enabled' })
    await webhooks.remove('w1')
  })
  const target = createTarget(resend)
  expect(toComparable(await sentRequest(target, request))).toEqual(toComparable(created!))
  expect(toComparable(await sentRequest(target, setup.update!(kept, endpoint)))).toEqual(
    toComparable(updated!),
  )
  expect(toComparable(await sentRequest(target, setup.unregister(kept, {})))).toEqual(toComparable(removed!))
})

/** The requests of SendGrid's API reference. */
const SENDGRID: ToolCase[] = [
  [
    'send_email',
    { from: 'a@example.com', fromName: 'A', to: ['b@example.com'], subject: 'Hi', text: 'Hello' },
    {
      method: 'POST',
      path: '/v3/mail/send',
      query: {},
      body: {
        personalizations: [{ to: [{ email: 'b@example.com' }] }],
        from: { email: 'a@example.com', name: 'A' },
        subject: 'Hi',
        content: [{ type: 'text/plain', value: 'Hello' }],
      },
    },
  ],
  ['list_senders', {}, { method: 'GET', path: '/v3/verified_senders', query: { limit: '50' }, body: null }],
  [
    'list_bounces',
    { since: 5 },
    { method: 'GET', path: '/v3/suppression/bounces', query: { limit: '50', start_time: '5' }, body: null },
  ],
  [
    'list_unsubscribes',
    {},
    { method: 'GET', path: '/v3/suppression/unsubscribes', query: { limit: '50' }, body: null },
  ],
  [
    'delete_bounce',
    { email: 'b@example.com' },
    { method: 'DELETE', path: '/v3/suppression/bounces/b%40example.com', query: {}, body: null },
  ],
]

test("sendgrid sends its API reference's requests to the region's host", async () => {
  const target = createTarget(sendgrid)
  await expectSameRequests(target, SENDGRID)
  const urlIn = (region: string) =>
    buildRequest({ ...target, config: { region } }, { method: 'GET', path: '/v3/scopes' }, {}).url
  expect([urlIn('global'), urlIn('eu')]).toEqual([
    'https://api.sendgrid.com/v3/scopes',
    'https://api.eu.sendgrid.com/v3/scopes',
  ])
  expect(failure(sendgrid, 403, { errors: [{ message: 'Not verified', field: 'from' }] })).toMatchObject({
    means: 'forbidden',
    code: 'from',
    message: 'Not verified',
  })
})
