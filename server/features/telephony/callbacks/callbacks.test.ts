import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { carrierCallbacks } from '../../../../contract/telephony/carrier-callbacks.ts'
import {
  createCarrier,
  insertNumber,
  SERVER_ACCOUNT,
  SERVER_ACCOUNT_ENV,
  type TestNumber,
} from '../../../testing/clients/phone-app.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const PUBLIC_URL = 'https://atrium.example'
const ROUTES = Object.values(carrierCallbacks).map(({ path }) => path.split('/').at(-1)!)
const CALL = { CallSid: 'CA1', CallStatus: 'ringing', From: '+4915112345678', Direction: 'inbound' }

let app: TestApp
let number: TestNumber
let other: TestNumber
beforeAll(async () => {
  app = await buildTestApp({ env: { ...SERVER_ACCOUNT_ENV, ATRIUM_PUBLIC_URL: PUBLIC_URL } })
  const newNumber = async () => {
    const { person } = await app.newUser({ role: 'owner', verified: true })
    const { id: projectId } = await app.project(person)
    return insertNumber(app, person, { projectId })
  }
  number = await newNumber()
  other = await newNumber()
})
afterAll(() => app.close())
beforeEach(() => app.sql`delete from rate_limits`.then(() => undefined))

const send = (callback: Partial<Parameters<ReturnType<typeof createCarrier>['send']>[0]>, sender = number) =>
  createCarrier(app, sender, PUBLIC_URL).send({
    route: 'status',
    ...callback,
    fields: { ...CALL, To: number.e164, ...callback.fields },
  })

const refusals = async () =>
  (
    await app.sql<{ reason: string }[]>`
      select verification ->> 'reason' as reason from events
      where org_id = ${number.orgId} and webhook_id = ${number.id} and status = 'rejected' order by id`
  ).map(({ reason }) => reason)

describe('carrier callback', () => {
  test.each(ROUTES)('%s is refused without a valid signature, and the refusal is recorded', async (route) => {
    const before = (await refusals()).length
    const attacks = [
      send({ route, headers: { 'x-twilio-signature': '' } }),
      send({ route, signed: { token: 'a guess' } }),
      send({ route, signed: { token: other.authToken } }),
      send({
        route,
        signed: { url: `${PUBLIC_URL}/api/v1/telephony/webhooks/replayed?number=${number.id}` },
      }),
    ]
    for (const attack of attacks) expect((await attack).status).toBe(403)
    expect((await refusals()).slice(before).sort()).toEqual([
      'bad_signature',
      'bad_signature',
      'bad_signature',
      'missing_signature',
    ])
  })

  test("is verified against the public URL, regardless of the request's Host and port", async () => {
    const accepted = { fields: { CallSid: 'CA-unknown' } }
    for (const host of ['atrium.example', 'internal:3000', 'evil.example'])
      expect((await send({ ...accepted, headers: { host, 'x-forwarded-host': host } })).status).toBe(204)
    const path = `/api/v1/telephony/webhooks/status?number=${number.id}`
    expect((await send({ ...accepted, signed: { url: `${PUBLIC_URL}:443${path}` } })).status).toBe(204)
    const elsewhere = { url: `https://evil.example${path}` }
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    expect((await send({ ...accepted, signed: elsewhere, headers })).status).toBe(403)
    expect((await send({ ...accepted, signed: { url: `http://atrium.example${path}` } })).status).toBe(403)
  })

  test('is signed over the query as sent', async () => {
    const query = `?z=a%20b+c&number=${number.id}&a=%C3%A9&1=x`
    expect((await send({ query, fields: { CallSid: 'CA-unknown' } })).status).toBe(204)
    const sent = `${PUBLIC_URL}/api/v1/telephony/webhooks/status?number=${number.id}`
    expect((await send({ query: `?number=${number.id}&callId=1`, signed: { url: sent } })).status).toBe(403)
  })

  test("cannot name another tenant's number", async () => {
    const attacks = [
      // The attacker has the token of their own account.
      send({ query: `?number=${number.id}` }, other),
      send({ query: `?number=${number.id}`, fields: { AccountSid: number.accountSid } }, other),
      send({ query: '' }, other),
      send({ query: '', fields: { AccountSid: number.accountSid } }, other),
      // Their own number, with an account that is not its own.
      send({ query: `?number=${other.id}`, fields: { AccountSid: number.accountSid } }, other),
    ]
    for (const attack of attacks) expect((await attack).status).toBe(403)
  })

  test("is found by account and number if the number's id is missing", async () => {
    const fields = { CallSid: 'CA-unknown' }
    expect((await send({ query: '', fields })).status).toBe(204)
    const outbound = { ...fields, From: number.e164, To: '+4915112345678' }
    expect((await send({ query: '', fields: outbound })).status).toBe(204)
  })

  test("is answered for an unassigned number only if this server's account signed it", async () => {
    const own = {
      ...number,
      ...SERVER_ACCOUNT,
      id: other.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    }
    const unknown = { To: '+4930999999' }
    const answered = await send({ route: 'voice', query: '', fields: unknown }, own)
    expect([answered.status, answered.headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(answered.text).toMatch(/<Say language="en-US">.*<\/Say><Hangup\/>/)
    expect((await send({ route: 'status', query: '', fields: unknown }, own)).status).toBe(204)
    expect(
      (await send({ route: 'voice', query: '', fields: unknown, signed: { token: 'x' } }, own)).status,
    ).toBe(403)
    expect((await send({ route: 'voice', query: '', fields: unknown }, number)).status).toBe(403)
  })

  test("is verified with the connection's current auth token", async () => {
    const fields = { CallSid: 'CA-unknown' }
    const update = (status: string) =>
      app.sql`update connections set status = ${status} where id = ${number.connectionId}`
    await update('expired')
    expect((await send({ fields })).status).toBe(403)
    await update('active')
    expect((await send({ fields })).status).toBe(204)
    await app.sql`update phone_numbers set released_at = now() where id = ${number.id}`
    expect((await send({ fields })).status).toBe(403)
    await app.sql`update phone_numbers set released_at = null where id = ${number.id}`
  })

  test('is refused over the size limit', async () => {
    const { status } = await send({ fields: { Body: 'x'.repeat(70_000) } })
    expect(status).toBe(413)
  })
})
