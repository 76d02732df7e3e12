import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SOURCE_SCHEMES } from '../../../../contract/webhooks/signature-schemes.ts'
import { hmac } from '../../../security/hmac.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

type Create = Parameters<Awaited<ReturnType<WebhookApp['createOwner']>>['client']['webhooks']['create']>[0]
const newHook = async (options: Omit<Create, 'name'> = {}) => {
  const { client, org } = await app.createOwner()
  return { client, org, hook: await client.webhooks.create({ name: 'In', ...options }) }
}
const hex = (secret: string, body: string) => hmac('sha256', Buffer.from(secret), [body]).toString('hex')
const seconds = () => String(Math.floor(app.clock.now().getTime() / 1000))

/** Requests by the scheme that signed them; all of them are authentic for a webhook with `auto`. */
const SIGN: Record<string, (secret: string, body: string) => Record<string, string>> = {
  github: (secret, body) => ({ 'x-hub-signature-256': `sha256=${hex(secret, body)}` }),
  stripe: (secret, body) => ({
    'stripe-signature': `t=${seconds()},v1=${hex(secret, `${seconds()}.${body}`)}`,
  }),
  slack: (secret, body) => ({
    'x-slack-request-timestamp': seconds(),
    'x-slack-signature': `v0=${hex(secret, `v0:${seconds()}:${body}`)}`,
  }),
  linear: (secret, body) => ({ 'linear-signature': hex(secret, body) }),
  jira: (secret, body) => ({ 'x-hub-signature': `sha256=${hex(secret, body)}` }),
  generic: (secret, body) => ({ 'x-webhook-signature': hex(secret, body) }),
  secret: (secret) => ({ 'x-webhook-secret': secret }),
}
const bodyOf = (n: number) => JSON.stringify({ n, webhookTimestamp: app.clock.now().getTime() })
const listAcceptedSchemes = async (hook: { secret: string; receiveUrl: string }) => {
  const names = []
  for (const [index, [name, sign]] of Object.entries(SIGN).entries()) {
    const body = bodyOf(index)
    const { status } = await app.send(hook, sign(hook.secret, body), body)
    if (status === 202) names.push(name)
    else expect(status, name).toBe(401)
  }
  return names
}

describe('accepted schemes', () => {
  test.each(['github', 'stripe', 'slack', 'linear', 'jira', 'GitHub'])(
    "are only the source's own for %s",
    async (source) => {
      const { hook } = await newHook({ source })
      expect(hook.scheme).toBe(SOURCE_SCHEMES[source.toLowerCase()])
      expect(await listAcceptedSchemes(hook)).toEqual([hook.scheme])
    },
  )

  test('are only the token and Standard Webhooks for GitLab', async () => {
    const { hook } = await newHook({ source: 'gitlab' })
    expect(await listAcceptedSchemes(hook)).toEqual([])
    expect((await app.send(hook, { 'x-gitlab-token': hook.secret }, '{}')).status).toBe(202)
  })

  test('are all by default, and only the chosen one once set', async () => {
    const { client, hook } = await newHook()
    expect(hook.scheme).toBe('auto')
    expect(await listAcceptedSchemes(hook)).toEqual(Object.keys(SIGN))
    const { scheme } = await client.webhooks.update({ id: hook.id, scheme: 'generic' })
    app.clock.advance(8 * 86_400)
    expect([scheme, await listAcceptedSchemes(hook)]).toEqual(['generic', ['generic']])
  })

  test("allow no request with two schemes' signatures", async () => {
    for (const options of [{}, { source: 'github' }, { scheme: 'generic' as const }]) {
      const { client, hook } = await newHook(options)
      const headers = { ...SIGN.github!(hook.secret, '{}'), ...SIGN.generic!(hook.secret, '{}') }
      const answer = await app.send(hook, headers, '{}')
      expect([answer.status, answer.body.error.details.reason]).toEqual([401, 'several_signatures'])
      const verified = await client.webhooks.verify({ webhookId: hook.id, payload: '{}', headers })
      expect(verified).toMatchObject({ valid: false, reason: 'several_signatures' })
    }
    const { hook } = await newHook({ source: 'github' })
    const legacy = { ...SIGN.github!(hook.secret, '{}'), 'x-hub-signature': 'sha1=00' }
    expect((await app.send(hook, legacy, '{}')).status).toBe(202)
  })

  test('allow no replay of a timestamped request under a scheme without a timestamp', async () => {
    const body = bodyOf(1)
    for (const source of ['linear', 'stripe']) {
      const { hook } = await newHook({ source })
      const signed = source === 'linear' ? body : `${seconds()}.${body}`
      app.clock.advance(3600)
      const headers = { 'x-webhook-signature': hex(hook.secret, signed) }
      expect(await app.send(hook, headers, signed)).toMatchObject({
        status: 401,
        body: { error: { details: { reason: 'unaccepted_scheme' } } },
      })
    }
  })

  test('allow no replay of a signed body under another unsigned id', async () => {
    for (const [source, scheme] of [
      ['github', 'github'],
      ['custom', 'generic'],
    ] as const) {
      const { hook } = await newHook({ source })
      const headers = SIGN[scheme]!(hook.secret, '{}')
      const first = await app.send(hook, { ...headers, 'x-github-delivery': 'd-1' }, '{}')
      const replay = await app.send(
        hook,
        { ...headers, 'x-github-delivery': 'd-2', 'webhook-id': 'd-2' },
        '{}',
      )
      expect(replay).toMatchObject({ status: 200, body: { duplicate: true, eventId: first.body.eventId } })
    }
  })
})

describe('webhook scheme', () => {
  test('follows its source, and cannot differ for a known source', async () => {
    const { client, hook } = await newHook({ scheme: 'generic' })
    const change = (body: object) => client.webhooks.update({ id: hook.id, ...body })
    expect((await change({ source: 'stripe' })).scheme).toBe('stripe')
    expect((await change({ name: 'Renamed' })).scheme).toBe('stripe')
    await expect(change({ scheme: 'auto' })).rejects.toThrow(
      'body.scheme must be stripe for the source stripe',
    )
    expect((await change({ source: 'acme' })).scheme).toBe('auto')
    expect((await change({ scheme: 'secret' })).scheme).toBe('secret')
    expect((await change({ source: 'custom' })).scheme).toBe('secret')
    await expect(newHook({ source: 'github', scheme: 'auto' })).rejects.toThrow('must be github')
  })

  test('stays the scheme that verified events before the upgrade', async () => {
    const migration = await readFile('migrations/0018_receiving.sql', 'utf8')
    const upgrade = /^update webhooks w [^;]+;/m.exec(migration)![0]
    const insertExisting = async (source: string, ...schemes: string[]) => {
      const { hook, client } = await newHook({ source })
      await app.sql`update webhooks set scheme = 'auto', version = version + 1 where id = ${hook.id}`
      for (const [n, scheme] of schemes.entries()) {
        const body = bodyOf(n)
        await app.send(hook, SIGN[scheme]!(hook.secret, body), body)
      }
      return async () => (await client.webhooks.get({ id: hook.id })).scheme
    }
    const webhooks = [
      await insertExisting('github', 'github'),
      await insertExisting('GitHub', 'generic', 'generic'),
      await insertExisting('stripe', 'secret', 'github'),
      await insertExisting('slack'),
      await insertExisting('acme', 'generic'),
    ]
    await app.sql.unsafe(upgrade)
    const schemes = await Promise.all(webhooks.map((schemeOf) => schemeOf()))
    expect(schemes).toEqual(['github', 'generic', 'auto', 'auto', 'auto'])
  })
})

describe('Slack URL verification', () => {
  const body = '{"type":"url_verification","token":"x","challenge":"3eZbrw1aB"}'

  test('is answered with its challenge if its signature is valid, and not stored as an event', async () => {
    const { client, hook } = await newHook({ source: 'slack' })
    const send = (secret: string) => app.send(hook, SIGN.slack!(secret, body), body)
    expect(await send(hook.secret)).toMatchObject({ status: 200, body: { challenge: '3eZbrw1aB' } })
    const rotated = await client.webhooks.rotate({ id: hook.id })
    expect((await send(hook.secret)).status).toBe(401)
    expect((await send(rotated.secret)).text).toBe('{"challenge":"3eZbrw1aB"}')
    expect((await app.send(hook, {}, body)).status).toBe(401)
    const { items } = await client.webhooks.events({})
    expect(items.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test('is stored as an event for a webhook with another source', async () => {
    const { hook } = await newHook()
    expect((await app.send(hook, { 'x-webhook-secret': hook.secret }, body)).body.duplicate).toBe(false)
  })
})
