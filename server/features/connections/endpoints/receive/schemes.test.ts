import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { insertTenant, insertTestEndpoint, slackHeaders } from '../../../../testing/clients/endpoint-app.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

/** The key pair of RFC 8032, section 7.1. */
const ED25519 = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
  ]),
  format: 'der',
  type: 'pkcs8',
})
const ED25519_PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

type Headers = Record<string, string>
interface Provider {
  slug: string
  /** The secret by which the endpoint verifies requests. */
  secret: string
  body: (id: string) => object
  sign: (body: string, secret: string, now: Date, url: string) => { headers: Headers; body?: string }
  /** The body is a form. */
  isForm?: true
  rejection?: 403
  /** The header with the signature or token; null if it is in the body. */
  header: string | null
  isTimed?: true
  /** The signature covers the bytes of the body. */
  coversBody?: true
}

const hmac = (algorithm: string, secret: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac(algorithm, secret).update(text).digest(encoding)
const seconds = (now: Date) => String(Math.floor(now.getTime() / 1000))

const PROVIDERS: Provider[] = [
  {
    slug: 'telegram',
    secret: 'telegram_secret',
    body: (id) => ({
      update_id: Number(id),
      message: { message_id: Number(id), from: { id: 1, first_name: 'A' }, chat: { id: 1 }, text: 'hi' },
    }),
    sign: (_, secret) => ({ headers: { 'x-telegram-bot-api-secret-token': secret } }),
    header: 'x-telegram-bot-api-secret-token',
  },
  {
    slug: 'slack',
    secret: 'slack-signing-secret',
    body: (id) => ({ event: { type: 'message', channel: 'C1', ts: `${id}.1`, user: 'U1', text: 'hi' } }),
    sign: (body, secret, now) => ({ headers: slackHeaders(secret, body, now) }),
    header: 'x-slack-signature',
    isTimed: true,
    coversBody: true,
  },
  {
    slug: 'whatsapp',
    secret: 'app-secret',
    body: (id) => ({
      entry: [
        {
          changes: [
            {
              value: {
                metadata: { phone_number_id: '777' },
                messages: [{ id: `wamid.${id}`, from: '491', type: 'text', text: { body: 'hi' } }],
              },
            },
          ],
        },
      ],
    }),
    sign: (body, secret) => ({
      headers: { 'x-hub-signature-256': `sha256=${hmac('sha256', secret, body, 'hex')}` },
    }),
    header: 'x-hub-signature-256',
    coversBody: true,
  },
  {
    slug: 'discord',
    secret: ED25519_PUBLIC,
    body: (id) => ({ type: 2, id, token: 't', application_id: 'a', channel_id: 'c', data: { name: 'ask' } }),
    sign: (body, secret, now) => {
      const timestamp = seconds(now)
      const signature = sign(null, Buffer.from(timestamp + body), ED25519).toString('hex')
      const isOther = secret !== ED25519_PUBLIC
      return {
        headers: {
          'x-signature-timestamp': timestamp,
          'x-signature-ed25519': isOther ? `00${signature.slice(2)}` : signature,
        },
      }
    },
    header: 'x-signature-ed25519',
    isTimed: true,
    coversBody: true,
  },
  {
    slug: 'stripe',
    secret: 'whsec_stripe',
    body: (id) => ({
      id: `evt_${id}`,
      type: 'charge.refunded',
      data: { object: { id: 'ch_1', object: 'charge', customer: 'cus_1', amount: 5, currency: 'usd' } },
    }),
    sign: (body, secret, now) => {
      const t = seconds(now)
      return { headers: { 'stripe-signature': `t=${t},v1=${hmac('sha256', secret, `${t}.${body}`, 'hex')}` } }
    },
    header: 'stripe-signature',
    isTimed: true,
    coversBody: true,
  },
  {
    slug: 'shopify',
    secret: 'shopify-client-secret',
    body: (id) => ({ id: Number(id), created_at: '2026-01-01', name: '#1', total_price: '5' }),
    sign: (body, secret) => ({
      headers: {
        'x-shopify-topic': 'orders/create',
        'x-shopify-hmac-sha256': hmac('sha256', secret, body, 'base64'),
      },
    }),
    header: 'x-shopify-hmac-sha256',
    coversBody: true,
  },
  {
    slug: 'twilio',
    secret: 'twilio-auth-token',
    body: (id) => ({ AccountSid: 'BOT', MessageSid: `SM${id}`, From: '+491', To: '+492', Body: 'hi there' }),
    sign: (body, secret, _now, url) => {
      const fields = [...new URLSearchParams(body)].toSorted(([a], [b]) => (a < b ? -1 : 1))
      const text = url + fields.map(([name, value]) => name + value).join('')
      return {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': hmac('sha1', secret, text, 'base64'),
        },
      }
    },
    header: 'x-twilio-signature',
    isForm: true,
    rejection: 403,
  },
  {
    slug: 'figma',
    secret: 'figma_passcode',
    body: (id) => ({
      event_type: 'FILE_COMMENT',
      comment_id: id,
      file_key: 'f',
      triggered_by: { id: 'u', handle: 'A' },
      comment: [{ text: 'hi' }],
    }),
    sign: (body, secret) => ({
      headers: {},
      body: JSON.stringify({ ...JSON.parse(body), passcode: secret }),
    }),
    header: null,
  },
]

let app: TestApp
let tenant: Awaited<ReturnType<typeof insertTenant>>
beforeAll(async () => {
  app = await shareTestApp()
  tenant = await insertTenant(app)
})

let count = 1_000_000

/** An endpoint of the provider, with new events for it. */
async function setup(provider: Provider) {
  const endpoint = await insertTestEndpoint(app, tenant, provider.slug, provider.secret)
  const post = (body: string, headers: Headers, path = endpoint.path) =>
    app.request('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body })
  const newRequest = (secret = provider.secret, now = app.clock.now()) => {
    const fields = provider.body(String(++count))
    const body = provider.isForm
      ? String(new URLSearchParams(fields as Record<string, string>))
      : JSON.stringify(fields)
    return { body, ...provider.sign(body, secret, now, app.url + endpoint.path) }
  }
  const listStored = () => app.sql<{ status: string; reason: string | null }[]>`
    select status, reason from connector_events
    where org_id = ${endpoint.orgId} and endpoint_id = ${endpoint.id} order by id`
  return { endpoint, post, newRequest, listStored }
}

describe.each(PROVIDERS.map((provider) => [provider.slug, provider] as const))('%s', (_slug, provider) => {
  test('accepts its own proof once, and folds a replay into the first event', async () => {
    const { post, newRequest, listStored } = await setup(provider)
    const { body, headers } = newRequest()
    for (const expected of [200, 200]) expect((await post(body, headers)).status).toBe(expected)
    expect(await listStored()).toMatchObject([{ status: 'pending', reason: null }])
    const second = newRequest()
    expect((await post(second.body, second.headers)).status).toBe(200)
    expect(await listStored()).toHaveLength(2)
  })

  test('refuses a missing, short, wrong or stale proof, another endpoint’s secret and a changed body', async () => {
    const { post, newRequest, listStored } = await setup(provider)
    const { header } = provider
    const attempts: [string, { body: string; headers: Headers }][] = []
    const add = (name: string, request: { body: string; headers: Headers }) => attempts.push([name, request])
    const good = newRequest()
    if (header === null) {
      const { passcode, ...rest } = JSON.parse(good.body)
      add('missing', { ...good, body: JSON.stringify(rest) })
      add('short', { ...good, body: JSON.stringify({ ...rest, passcode: passcode.slice(0, 5) }) })
      add('not a text', { ...good, body: JSON.stringify({ ...rest, passcode: { length: 1 } }) })
    } else {
      const { [header]: proof, ...others } = good.headers
      add('missing', { ...good, headers: others })
      add('empty', { ...good, headers: { ...others, [header]: '' } })
      add('short', { ...good, headers: { ...others, [header]: proof!.slice(0, -4) } })
      add('wrong', {
        ...good,
        headers: { ...others, [header]: proof!.replace(/[0-9a-f]/g, (c) => (c === '0' ? '1' : '0')) },
      })
    }
    add('the secret of another endpoint', newRequest('the secret of another endpoint'))
    if (provider.coversBody) {
      add('re-serialized', { ...good, body: JSON.stringify(JSON.parse(good.body), null, 1) })
      add('extended', { ...good, body: `${good.body} ` })
    }
    if (provider.isTimed) {
      add('stale', newRequest(provider.secret, new Date(app.clock.now().getTime() - 3_600_000)))
      add('from the future', newRequest(provider.secret, new Date(app.clock.now().getTime() + 3_600_000)))
    }
    if (provider.isForm) add('changed', { ...good, body: good.body.replace('hi', 'ho') })
    const refusal = provider.rejection ? [403, 'FORBIDDEN'] : [401, 'UNAUTHORIZED']
    for (const [name, { body, headers }] of attempts) {
      const response = await post(body, headers)
      expect([response.status, response.body.error.code], name).toEqual(refusal)
      expect(response.text).not.toContain(provider.secret)
    }
    const events = await listStored()
    expect(events.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'))
  })

  test("doesn't accept a request meant for another endpoint", async () => {
    const [first, second] = [await setup(provider), await setup(provider)]
    const foreign = await insertTestEndpoint(app, tenant, provider.slug, 'ab'.repeat(32))
    const { body, headers } = first.newRequest()
    expect((await first.post(body, headers)).status).toBe(200)
    expect((await first.post(body, headers, foreign.path)).status).toBe(provider.rejection ?? 401)
    expect(
      (await first.post(body, headers, first.endpoint.path.replace(provider.slug, 'gitlab'))).status,
    ).toBe(404)
    // Each endpoint deduplicates on its own, and a signed URL is that of one endpoint.
    expect((await second.post(body, headers)).status).toBe(provider.rejection ?? 200)
    expect(await second.listStored()).toHaveLength(1)
  })
})
