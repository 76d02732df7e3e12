import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type NumberApp, startNumberApp } from '../../../testing/clients/number-app.ts'

let numbers: NumberApp
let { app, twilio, nextNumber, admin, connect, runHourlyCheck } = {} as NumberApp
beforeAll(async () => {
  numbers = await startNumberApp()
  ;({ app, twilio, nextNumber, admin, connect, runHourlyCheck } = numbers)
})
afterAll(() => numbers.close())
beforeEach(() => app.sql`delete from rate_limits`)

describe('phone number', () => {
  test('is reported hourly and on request if its URLs point to another server, and is repaired', async () => {
    const { org, client, importNumber } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164)
    const { id } = await importNumber(e164)
    owned.voice_url = 'https://elsewhere.example/voice'
    owned.sms_url = ''
    await runHourlyCheck()
    const reason = 'Twilio sends calls to https://elsewhere.example/voice instead of this server'
    expect(await client.phoneNumbers.get({ id })).toMatchObject({
      status: 'error',
      statusReason: reason,
      webhooks: { voice: { state: 'elsewhere' }, sms: { state: 'missing' }, status: { state: 'ok' } },
    })
    expect(await client.phoneNumbers.repair({ id })).toMatchObject({ status: 'active', statusReason: null })
    expect(owned.voice_url).toContain(`number=${id}`)
    twilio.numbers.splice(twilio.numbers.indexOf(owned), 1)
    const lost = 'The Twilio account no longer owns the number'
    expect(await client.phoneNumbers.check({ id })).toMatchObject({ status: 'error', statusReason: lost })
    twilio.fail('GET IncomingPhoneNumbers.json', { status: 503 })
    await expect(client.phoneNumbers.check({ id })).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
    const member = await app.withKey(await app.person(org, { role: 'member' }))
    await expect(member.phoneNumbers.repair({ id })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test("is no error with another server's URLs until a member lets Atrium set them", async () => {
    const { client, importNumber } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164, { voice_url: 'https://own.example' })
    const number = await importNumber(e164, { configureWebhooks: false })
    expect(number).toMatchObject({ status: 'active', webhooks: { voice: { state: 'elsewhere' } } })
    expect(owned.voice_url).toBe('https://own.example')
    await client.phoneNumbers.repair({ id: number.id })
    owned.voice_url = 'https://own.example'
    expect(await client.phoneNumbers.check({ id: number.id })).toMatchObject({ status: 'error' })
  })

  test('changes only the named settings, and is hidden with its private project', async () => {
    const { org, person, client, importNumber } = await admin()
    const e164 = nextNumber()
    twilio.addNumber(e164)
    const { id } = await importNumber(e164)
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

  test('is an error with a revoked connection, and works again with another account', async () => {
    const { person, client, importNumber } = await admin()
    const account = twilio.addAccount()
    const e164 = nextNumber()
    twilio.addNumber(e164, { account: account.sid })
    const connectionId = await connect(person, account)
    const { id } = await importNumber(e164)
    await client.connections.remove({ id: connectionId })
    await expect
      .poll(async () => (await client.phoneNumbers.get({ id })).statusReason, { timeout: 20_000 })
      .toContain('The connection to Twilio was revoked')
    expect(await client.phoneNumbers.check({ id })).toMatchObject({ status: 'error' })
    const next = await connect(person, account)
    expect(await importNumber(e164)).toMatchObject({ id, connectionId: next, status: 'active' })
  })

  test('accepts nothing once released, and loses the URLs it still owns', async () => {
    const { person, client, importNumber } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164)
    const { id } = await importNumber(e164)
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
    const requests = () => twilio.requestsTo(`POST IncomingPhoneNumbers/${owned.sid}`)
    await expect.poll(() => requests().length, { timeout: 20_000 }).toBe(2)
    const again = await importNumber(e164)
    expect(again.id).not.toBe(id)
    owned.sms_url = 'https://elsewhere.example/sms'
    await client.phoneNumbers.release({ id: again.id })
    await expect.poll(() => owned.voice_url, { timeout: 20_000 }).toBe('')
    expect(owned).toMatchObject({ status_callback: '', sms_url: 'https://elsewhere.example/sms' })
  })

  test('keeps opted-out recipients, once each, when imported again after its release', async () => {
    const { client, importNumber } = await admin()
    const e164 = nextNumber()
    twilio.addNumber(e164)
    const recipient = '+4915112345678'
    for (let time = 0; time < 2; time++) {
      const { id } = await importNumber(e164)
      await client.sms.addOptOut({ numberId: id, recipient })
      await client.phoneNumbers.release({ id })
    }
    const { id } = await importNumber(e164)
    expect((await client.sms.optOuts({})).items).toMatchObject([
      { numberId: id, recipient, source: 'member' },
    ])
    await expect(client.sms.send({ to: recipient, body: 'Hello', numberId: id })).rejects.toMatchObject({
      reason: 'recipient_opted_out',
    })
  })
})
