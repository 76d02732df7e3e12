import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { type NumberApp, startNumberApp } from '../../../testing/clients/number-app.ts'
import { insertConnection } from '../../../testing/factories/connections.ts'

let numbers: NumberApp
let { app, twilio, nextNumber, admin, connect, runHourlyCheck } = {} as NumberApp
beforeAll(async () => {
  numbers = await startNumberApp()
  ;({ app, twilio, nextNumber, admin, connect, runHourlyCheck } = numbers)
})
afterAll(() => numbers.close())
beforeEach(() => app.sql`delete from rate_limits`)

describe('importing a number', () => {
  test("allows the server's own account only to operators' organizations or the only organization", async () => {
    const only = await admin({ operator: false })
    const e164 = nextNumber()
    twilio.addNumber(e164)
    await only.client.phoneNumbers.release({ id: (await only.importNumber(e164)).id })
    const other = await admin({ operator: false })
    for (const { client, importNumber } of [only, other]) {
      await expect(importNumber(e164)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('for its operators’ organizations'),
      })
      expect((await client.telephony.overview()).configured).toBe(false)
    }
    const { org } = await admin()
    const colleague = await app.withSession(await app.person(org, { role: 'admin' }))
    expect((await colleague.telephony.overview()).configured).toBe(true)
    await colleague.phoneNumbers.import({ provider: 'twilio', phoneNumber: e164 })
  })

  test('is refused in an organization with 200 numbers until one is released', async () => {
    const { org, client, importNumber } = await admin()
    const [first, last] = [nextNumber(), nextNumber()]
    for (const e164 of [first, last]) twilio.addNumber(e164)
    const { id } = await importNumber(first)
    await app.sql`
      insert into phone_numbers (org_id, id, e164, provider, provider_id, account_id, capabilities, configures_urls, project_id,
        owner_id, created_at, updated_at)
      select org_id, gen_random_uuid(), '+4940' || n, provider, 'PN' || n, account_id, capabilities, false, project_id, owner_id,
        now(), now()
      from phone_numbers cross join generate_series(1, ${TELEPHONY_LIMITS.numbersPerOrganization - 1}::int) n
      where org_id = ${org.id}`
    await expect(importNumber(last)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'An organization has at most 200 phone numbers',
    })
    expect(await importNumber(first)).toMatchObject({ id })
    await client.phoneNumbers.release({ id })
    await importNumber(last)
  })

  test('sets its Carrier URLs, creates a project once, and is repeatable', async () => {
    const { org, person, client, importNumber } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164, { voice_application_sid: 'AP1', voice_url: 'https://old.example' })
    const number = await importNumber(e164, { label: 'Front desk' })
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
    expect(await importNumber(second)).toMatchObject({ projectId: number.projectId })
    expect((await client.phoneNumbers.list({})).items.map(({ e164 }) => e164)).toEqual([second, e164])
    const audited = await app.sql`
      select details ->> 'name' as name from audit
      where org_id = ${org.id} and action = 'phone-number.imported' order by id`
    expect(audited.map(({ name }) => name)).toEqual([e164, second])
  })

  test("is refused for another organization's number or one in no account, and names the field", async () => {
    const [first, second] = [await admin(), await admin()]
    const e164 = nextNumber()
    await expect(first.importNumber(e164)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'body.phoneNumber must be a number that the Twilio account owns',
    })
    twilio.addNumber(e164)
    const { id } = await first.importNumber(e164)
    await expect(second.importNumber(e164)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Another organization on this server uses the number',
    })
    await expect(second.client.phoneNumbers.get({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(second.client.phoneNumbers.check({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(second.client.phoneNumbers.release({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(
      await app.sql`select from projects where org_id = ${second.org.id} and name = 'Telephony'`,
    ).toEqual([])
  })

  test('creates one number and one project when done three times concurrently', async () => {
    const { org, importNumber } = await admin()
    const e164 = nextNumber()
    twilio.addNumber(e164)
    const ids = await Promise.all([1, 2, 3].map(async () => (await importNumber(e164)).id))
    expect(new Set(ids).size).toBe(1)
    expect(await app.sql`select from projects where org_id = ${org.id} and name = 'Telephony'`).toHaveLength(
      1,
    )
  })

  test('uses only connections the caller can use', async () => {
    const { org, person, importNumber } = await admin()
    const colleague = await app.person(org, { role: 'member' })
    const account = twilio.addAccount()
    const e164 = nextNumber()
    twilio.addNumber(e164, { account: account.sid })
    const connectionId = await connect(colleague, account)
    const other = await insertConnection(app, person, 'slack')
    for (const wrong of [connectionId, other])
      await expect(importNumber(e164, { connectionId: wrong })).rejects.toMatchObject({
        message: 'body.connectionId must be a connection to Twilio that you can use',
      })
    await expect(importNumber(e164)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await app.sql`update connections set shared = 'org' where org_id = ${org.id} and id = ${connectionId}`
    expect(await importNumber(e164)).toMatchObject({ connectionId, status: 'active' })
  })

  test("stores a number with URLs that could not be set, and reports the carrier's silence", async () => {
    const { client, importNumber } = await admin()
    const e164 = nextNumber()
    const owned = twilio.addNumber(e164)
    twilio.fail('GET IncomingPhoneNumbers.json', 'lose-response')
    await expect(importNumber(e164)).rejects.toMatchObject({ code: 'PROVIDER_ERROR' })
    twilio.fail('POST IncomingPhoneNumbers/', { status: 500 })
    const number = await importNumber(e164)
    expect(number.webhooks.voice).toMatchObject({ actual: null, state: 'unknown' })
    // The number is in the same state as after the process was killed during its import.
    await runHourlyCheck()
    expect(owned.voice_url).toContain(number.id)
    const { status, webhooks } = await client.phoneNumbers.get({ id: number.id })
    expect([status, webhooks.voice.state]).toEqual(['active', 'ok'])
  })
})
