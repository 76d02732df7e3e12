import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import type { Account } from '../../../testing/carrier/records.ts'
import { insertConnection } from '../../../testing/factories/connections.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { checkNumbers } from './background.ts'

let twilio: ScriptedCarrier
let app: TestApp
beforeAll(async () => {
  twilio = await startCarrier()
  app = await buildTestApp({
    env: {
      ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      ATRIUM_CONNECTOR_TWILIO_URL: twilio.url,
      ATRIUM_TWILIO_ACCOUNT_SID: twilio.account.sid,
      ATRIUM_TWILIO_AUTH_TOKEN: twilio.account.token,
    },
  })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await twilio.close()
})
beforeEach(() => app.sql`delete from rate_limits`)

let numbers = 0
const nextNumber = () => `+49302${String(++numbers).padStart(6, '0')}`

async function admin() {
  const { org, person } = await app.newcomer({ role: 'owner' })
  const client = await app.inBrowser(person)
  const imported = (phoneNumber: string, fields: object = {}) =>
    client.phoneNumbers.import({ provider: 'twilio', phoneNumber, ...fields })
  return { org, person, client, imported }
}

const connect = (person: Person, { sid, token }: Account, options: object = {}) =>
  insertConnection(app, person, 'twilio', { credentials: { accountSid: sid, authToken: token }, ...options })

const hourlyCheck = () =>
  checkNumbers({
    connectors: { twilio: { client: null, url: twilio.url, isDisabled: false, variables: [] } },
    accounts: {
      twilio: { accountSid: twilio.account.sid, authToken: twilio.account.token },
      elevenlabs: { apiKey: null, webhookSecret: null },
      openaiWebhookSecret: null,
    },
    publicUrl: app.url,
    log: { warn: () => {} },
  } as unknown as TelephonyOptions)(app.app.system())

describe('importing a number', () => {
  test('sets its URLs at the carrier, creates a project once, and is repeatable', async () => {
    const { org, person, client, imported } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164, { voice_application_sid: 'AP1', voice_url: 'https://old.example' })
    const number = await imported(e164, { label: 'Front desk' })
    const url = (name: string) => `${app.url}/api/v1/telephony/webhooks/${name}?number=${number.id}`
    expect(number).toMatchObject({
      status: 'active',
      statusReason: null,
      connectionId: null,
      label: 'Front desk',
      projectName: 'Telephony',
      settings: { language: 'en-US', maxMinutes: 30 },
      webhooks: {
        voice: { url: url('voice'), actual: url('voice'), state: 'ok' },
        sms: { url: url('sms'), state: 'ok' },
        status: { url: url('status'), state: 'ok' },
      },
    })
    expect(owned).toMatchObject({
      voice_url: url('voice'),
      sms_url: url('sms'),
      status_callback: url('status'),
      voice_application_sid: '',
    })
    const again = await app.request('POST', '/api/v1/telephony/numbers/import', {
      headers: { cookie: (await app.session(person)).cookie },
      body: { provider: 'twilio', phoneNumber: e164 },
    })
    expect([again.status, again.body.id]).toEqual([200, number.id])
    const second = nextNumber()
    twilio.addNumber(second)
    expect(await imported(second)).toMatchObject({ projectId: number.projectId })
    expect((await client.phoneNumbers.list({})).items.map(({ e164 }) => e164)).toEqual([second, e164])
    const audited = await app.sql`
      select details ->> 'name' as name from audit
      where org_id = ${org.id} and action = 'phone-number.imported' order by id`
    expect(audited.map(({ name }) => name)).toEqual([e164, second])
  })

  test('is refused for a number of another organization or of no account, and names the field', async () => {
    const [first, second] = [await admin(), await admin()]
    const e164 = nextNumber()
    await expect(first.imported(e164)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'body.phoneNumber must be a number that the account at Twilio owns',
    })
    twilio.addNumber(e164)
    const { id } = await first.imported(e164)
    await expect(second.imported(e164)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Another organization of this server uses the number',
    })
    await expect(second.client.phoneNumbers.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(second.client.phoneNumbers.check({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(second.client.phoneNumbers.release({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(
      await app.sql`select from projects where org_id = ${second.org.id} and name = 'Telephony'`,
    ).toEqual([])
  })

  test('by two admins at once makes one number and one project', async () => {
    const { org, imported } = await admin()
    const e164 = nextNumber()
    twilio.addNumber(e164)
    const ids = await Promise.all([1, 2, 3].map(async () => (await imported(e164)).id))
    expect(new Set(ids).size).toBe(1)
    expect(await app.sql`select from projects where org_id = ${org.id} and name = 'Telephony'`).toHaveLength(
      1,
    )
  })

  test('uses a connection that the caller can use, and no other', async () => {
    const { org, person, imported } = await admin()
    const colleague = await app.person(org, { role: 'member' })
    const account = twilio.addAccount()
    const e164 = nextNumber()
    twilio.addNumber(e164, { account: account.sid })
    const connectionId = await connect(colleague, account)
    const other = await insertConnection(app, person, 'slack')
    for (const wrong of [connectionId, other])
      await expect(imported(e164, { connectionId: wrong })).rejects.toMatchObject({
        message: 'body.connectionId must be a connection to Twilio that you can use',
      })
    await expect(imported(e164)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await app.sql`update connections set shared = 'org' where org_id = ${org.id} and id = ${connectionId}`
    expect(await imported(e164)).toMatchObject({ connectionId, status: 'active' })
  })

  test('keeps a number whose URLs could not be set, and says that the carrier did not answer', async () => {
    const { client, imported } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164)
    twilio.fail('GET IncomingPhoneNumbers.json', 'lose-response')
    await expect(imported(e164)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
    twilio.fail('POST IncomingPhoneNumbers/', { status: 500 })
    const number = await imported(e164)
    expect(number.webhooks.voice).toMatchObject({ actual: null, state: 'unknown' })
    // As after the end of the process during the import.
    await hourlyCheck()
    expect(owned.voice_url).toContain(number.id)
    const { status, webhooks } = await client.phoneNumbers.get({ id: number.id })
    expect([status, webhooks.voice.state]).toEqual(['active', 'ok'])
  })
})

describe('a number', () => {
  test('whose URLs point to another server is reported hourly and on request, and is repaired', async () => {
    const { org, client, imported } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164)
    const { id } = await imported(e164)
    owned.voice_url = 'https://elsewhere.example/voice'
    owned.sms_url = ''
    await hourlyCheck()
    const reason = 'Twilio sends calls to https://elsewhere.example/voice instead of this server'
    expect(await client.phoneNumbers.get({ id })).toMatchObject({
      status: 'error',
      statusReason: reason,
      webhooks: { voice: { state: 'elsewhere' }, sms: { state: 'missing' }, status: { state: 'ok' } },
    })
    expect(await client.phoneNumbers.repair({ id })).toMatchObject({ status: 'active', statusReason: null })
    expect(owned.voice_url).toContain(`number=${id}`)
    twilio.numbers.splice(twilio.numbers.indexOf(owned), 1)
    const lost = 'The account at Twilio does not own the number any more'
    expect(await client.phoneNumbers.check({ id })).toMatchObject({ status: 'error', statusReason: lost })
    twilio.fail('GET IncomingPhoneNumbers.json', { status: 503 })
    await expect(client.phoneNumbers.check({ id })).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
    const member = await app.withKey(await app.person(org, { role: 'member' }))
    await expect(member.phoneNumbers.repair({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('of a member who sets the URLs is not an error, until the server is to set them', async () => {
    const { client, imported } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164, { voice_url: 'https://own.example' })
    const number = await imported(e164, { configureWebhooks: false })
    expect(number).toMatchObject({ status: 'active', webhooks: { voice: { state: 'elsewhere' } } })
    expect(owned.voice_url).toBe('https://own.example')
    await client.phoneNumbers.repair({ id: number.id })
    owned.voice_url = 'https://own.example'
    expect(await client.phoneNumbers.check({ id: number.id })).toMatchObject({ status: 'error' })
  })

  test('changes only the settings that are named, and is hidden with its private project', async () => {
    const { org, person, client, imported } = await admin()
    const e164 = nextNumber()
    twilio.addNumber(e164)
    const { id } = await imported(e164)
    const { id: projectId } = await app.project(person, { visibility: 'private', name: 'Secret' })
    await client.phoneNumbers.update({ id, settings: { greeting: 'Hello', maxMinutes: 5 } })
    const changed = await client.phoneNumbers.update({ id, projectId, settings: { language: 'de-DE' } })
    expect(changed).toMatchObject({
      projectName: 'Secret',
      settings: { greeting: 'Hello', maxMinutes: 5, language: 'de-DE', allowedPrefixes: [] },
    })
    const colleague = await app.withKey(await app.person(org, { role: 'admin' }))
    expect(await colleague.phoneNumbers.get({ id })).toMatchObject({ projectId, projectName: null })
    const member = await app.withKey(await app.person(org, { role: 'member' }))
    await expect(member.phoneNumbers.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(member.phoneNumbers.check({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await member.phoneNumbers.list({})).toMatchObject({ items: [] })
    expect(await member.telephony.overview()).toMatchObject({ numbers: [], problems: [] })
  })

  test('of a revoked connection is an error, and works again with another account', async () => {
    const { person, client, imported } = await admin()
    const account = twilio.addAccount()
    const e164 = nextNumber()
    twilio.addNumber(e164, { account: account.sid })
    const connectionId = await connect(person, account)
    const { id } = await imported(e164)
    await client.connections.remove({ id: connectionId })
    await expect
      .poll(async () => (await client.phoneNumbers.get({ id })).statusReason, { timeout: 20_000 })
      .toContain('The connection to Twilio was revoked')
    expect(await client.phoneNumbers.check({ id })).toMatchObject({ status: 'error' })
    const next = await connect(person, account)
    expect(await imported(e164)).toMatchObject({ id, connectionId: next, status: 'active' })
  })

  test('that is released accepts nothing, and loses the URLs that still are its own', async () => {
    const { person, client, imported } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164)
    const { id } = await imported(e164)
    const { cookie } = await app.session(person, { steppedUp: false })
    const refused = await app.request('DELETE', `/api/v1/telephony/numbers/${id}`, { headers: { cookie } })
    expect(refused.status).toBe(403)
    owned.sms_url = 'https://elsewhere.example/sms'
    twilio.fail('POST IncomingPhoneNumbers/', { status: 400, code: 20001 })
    expect(await client.phoneNumbers.release({ id })).toEqual({ released: true })
    expect(await client.phoneNumbers.release({ id })).toEqual({ released: true })
    expect((await client.phoneNumbers.list({})).items).toEqual([])
    expect(await client.phoneNumbers.get({ id })).toMatchObject({ status: 'released' })
    await expect(client.phoneNumbers.repair({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const sent = () => twilio.sent(`POST IncomingPhoneNumbers/${owned.sid}`)
    await expect.poll(() => sent().length, { timeout: 20_000 }).toBe(2)
    const again = await imported(e164)
    expect(again.id).not.toBe(id)
    owned.sms_url = 'https://elsewhere.example/sms'
    await client.phoneNumbers.release({ id: again.id })
    await expect.poll(() => owned.voice_url, { timeout: 20_000 }).toBe('')
    expect(owned).toMatchObject({ status_callback: '', sms_url: 'https://elsewhere.example/sms' })
  })

  test('that is imported again after its release keeps the recipients who opted out, once each', async () => {
    const { client, imported } = await admin()
    const e164 = nextNumber()
    twilio.addNumber(e164)
    const recipient = '+4915112345678'
    for (let time = 0; time < 2; time++) {
      const { id } = await imported(e164)
      await client.sms.addOptOut({ numberId: id, recipient })
      await client.phoneNumbers.release({ id })
    }
    const { id } = await imported(e164)
    expect((await client.sms.optOuts({})).items).toMatchObject([
      { numberId: id, recipient, source: 'member' },
    ])
    await expect(client.sms.send({ to: recipient, body: 'Hello', numberId: id })).rejects.toMatchObject({
      reason: 'recipient_opted_out',
    })
  })
})
