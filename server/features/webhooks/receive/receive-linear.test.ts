import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hmac } from '../../../security/hmac.ts'
import { newId } from '../../../security/ids.ts'
import { buildWebhookApp, type WebhookApp } from '../../../testing/clients/webhook-app.ts'
import { listReceiversOfAccount, listReceiversOfOtherAccounts } from './receivers.ts'

let app: WebhookApp
beforeAll(async () => {
  app = await buildWebhookApp()
})
afterAll(() => app.close())

const newHook = async (source = 'linear') => {
  const { client, org } = await app.createOwner()
  return { client, org, hook: await client.webhooks.create({ name: 'In', source }) }
}
const hex = (secret: string, body: string) => hmac('sha256', Buffer.from(secret), [body]).toString('hex')
const sendLinear = (secret: string, body: string, delivery = newId()) =>
  app.request('POST', '/api/v1/webhooks/linear', {
    headers: { 'linear-signature': hex(secret, body), 'linear-delivery': delivery },
    body,
  })
const issueBody = (organizationId?: string, id = newId()) =>
  JSON.stringify({ type: 'Issue', organizationId, data: { id }, webhookTimestamp: app.clock.now().getTime() })
const advanceMinute = () => app.clock.advance(60)

describe('POST /webhooks/linear', () => {
  test('delivers to the webhook whose secret signed the request, in any organization', async () => {
    const [idle, signer] = [await newHook(), await newHook()]
    const body = issueBody()
    const answer = await sendLinear(signer.hook.secret, body)
    expect(answer.status).toBe(202)
    expect((await signer.client.webhooks.event({ eventId: answer.body.eventId })).type).toBe('issue')
    expect((await idle.client.webhooks.events({})).items).toEqual([])
    const rotated = await signer.client.webhooks.rotate({ id: signer.hook.id, gracePeriodSeconds: 60 })
    expect((await sendLinear(signer.hook.secret, body)).status).toBe(200)
    expect((await sendLinear(rotated.secret, body)).status).toBe(200)
  })

  test('folds a replay under another delivery id and a retry Linear signed again', async () => {
    const { client, hook } = await newHook()
    const [body, other] = [issueBody(undefined, 'i-1'), issueBody(undefined, 'i-2')]
    const first = await sendLinear(hook.secret, body, 'd-1')
    expect(first.status).toBe(202)
    const replay = await sendLinear(hook.secret, body, 'd-2')
    expect(replay).toMatchObject({ status: 200, body: { eventId: first.body.eventId, duplicate: true } })
    app.clock.advance(3600)
    const retry = await sendLinear(hook.secret, issueBody(undefined, 'i-1'), 'd-1')
    expect(retry).toMatchObject({ status: 200, body: { eventId: first.body.eventId, duplicate: true } })
    // A captured delivery id cannot suppress another event.
    expect(
      (await sendLinear(hook.secret, other.replace(/\d+}$/, `${app.clock.now().getTime()}}`), 'd-1')).status,
    ).toBe(202)
    const { externalId, repetitions } = await client.webhooks.event({ eventId: first.body.eventId })
    expect([externalId, repetitions.count]).toEqual(['d-1', 2])
  })

  test('refuses a request that is unsigned, signed with another secret, too old or too large', async () => {
    const { hook } = await newHook()
    expect((await app.request('POST', '/api/v1/webhooks/linear', { body: issueBody() })).status).toBe(401)
    expect((await sendLinear('another secret entirely', issueBody())).status).toBe(401)
    const late = JSON.stringify({ webhookTimestamp: app.clock.now().getTime() - 61_000 })
    expect((await sendLinear(hook.secret, late)).status).toBe(401)
    expect((await sendLinear(hook.secret, 'x'.repeat(262_145))).status).toBe(413)
    const { hook: other } = await newHook('github')
    expect((await sendLinear(other.secret, issueBody())).status).toBe(401)
    advanceMinute()
  })

  test("stores a webhook's account with its first event, then tries that account's webhooks", async () => {
    const [{ hook, client }, { hook: other }] = [await newHook(), await newHook()]
    const account = newId()
    expect(await idsOf(listReceiversOfAccount(app.sql, account))).toEqual([])
    expect((await sendLinear(hook.secret, issueBody(account))).status).toBe(202)
    expect(await idsOf(listReceiversOfAccount(app.sql, account))).toEqual([hook.id])
    expect(await idsOf(listReceiversOfOtherAccounts(app.sql, account))).not.toContain(hook.id)
    // An OAuth application receives the events of several accounts with one secret.
    expect((await sendLinear(hook.secret, issueBody(newId()))).status).toBe(202)
    // Two webhooks may receive the events of one account.
    expect((await sendLinear(other.secret, issueBody(account))).status).toBe(202)
    expect(await idsOf(listReceiversOfAccount(app.sql, account))).toEqual([hook.id, other.id])
    await client.webhooks.rotate({ id: hook.id })
    expect(await idsOf(listReceiversOfAccount(app.sql, account))).toEqual([other.id])
  })

  test('tries few secrets, however many webhooks an organization has', async () => {
    const { hook } = await newHook()
    const account = newId()
    const busy = await app.createOwner()
    await insertCopies(hook.id, busy.org.id, 1500)
    const others = await listReceiversOfOtherAccounts(app.sql, account)
    expect(others.length).toBeLessThanOrEqual(20)
    expect(others.filter(({ orgId }) => orgId === busy.org.id).length).toBeLessThanOrEqual(5)
    expect((await sendLinear(hook.secret, issueBody(account))).status).toBe(202)
    // The organization with 1,500 webhooks claims the account of the other one.
    await app.sql`
      insert into webhook_accounts select org_id, id, ${account}, ${app.clock.now()} from webhooks
      where org_id = ${busy.org.id}`
    const receivers = await listReceiversOfAccount(app.sql, account)
    expect(receivers.length).toBeLessThanOrEqual(6)
    expect(receivers[0]!.id).toBe(hook.id)
    expect((await sendLinear(hook.secret, issueBody(account))).status).toBe(202)
    await app.sql`delete from webhooks where org_id = ${busy.org.id}`
    advanceMinute()
  })

  test("limits per IP address only requests that none of their account's webhooks signed", async () => {
    app.clock.freeze()
    const { hook } = await newHook()
    const account = newId()
    expect((await sendLinear(hook.secret, issueBody(account))).status).toBe(202)
    const answers = []
    for (let n = 0; n < 31; n++) answers.push((await sendLinear('not the secret', issueBody(newId()))).status)
    expect([answers.slice(0, 3), answers.at(-1)]).toEqual([[401, 401, 401], 429])
    expect((await sendLinear(hook.secret, issueBody(account))).status).toBe(202)
    advanceMinute()
    expect((await sendLinear('not the secret', issueBody(newId()))).status).toBe(401)
  })
})

const idsOf = async (rows: Promise<readonly { id: string }[]>) => (await rows).map(({ id }) => id)

/** Webhooks with the source `linear` and unreadable secrets. */
const insertCopies = (id: string, orgId: string, count: number) => app.sql`
  insert into webhooks (org_id, id, name, source, scheme, secret_sealed, secret_hash, created_by, created_at, updated_at)
  select ${orgId}, gen_random_uuid(), name, source, scheme, secret_sealed, secret_hash, created_by, created_at, updated_at
  from webhooks, generate_series(1, ${count}::int) where id = ${id}`
