import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import { insertConnection } from '../../../testing/factories/connections.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { openAccount, openCarrier } from './open-carrier.ts'

const NUMBER = '+4930222222'
const PEER = '+4917012345678'

let app: TestApp
let twilio: ScriptedCarrier
beforeAll(async () => {
  twilio = await startCarrier()
  twilio.addNumber(NUMBER, { sms_url: 'https://atrium.example/sms' })
  app = await buildTestApp({ env: { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' } })
})
afterAll(async () => {
  await app.close()
  await twilio.close()
})

const installation = (account: TelephonyOptions['accounts']['twilio']) =>
  ({
    connectors: { twilio: { client: null, url: twilio.url, isDisabled: false, variables: [] } },
    accounts: {
      twilio: account,
      elevenlabs: { apiKey: null, webhookSecret: null },
      openaiWebhookSecret: null,
    },
    publicUrl: null,
  }) as unknown as TelephonyOptions

const serverOptions = () => installation({ accountSid: twilio.account.sid, authToken: twilio.account.token })

async function openOwnCarrier() {
  const { org } = await app.newUser()
  return openCarrier(serverOptions(), app.app.system(), org.id, null)
}

test("the carrier finds an account's number, and none that only contains it", async () => {
  const carrier = await openOwnCarrier()
  twilio.addNumber(`${NUMBER}77`, { voice_application_sid: 'AP1' })
  expect(await carrier.findNumber(NUMBER)).toMatchObject({ ok: true, value: { e164: NUMBER } })
  expect(await carrier.findNumber(NUMBER.slice(0, -1))).toEqual({ ok: true, value: null })
  // The application receives the calls, regardless of the URL.
  expect(await carrier.findNumber(`${NUMBER}77`)).toMatchObject({
    value: { urls: { voice: 'TwiML application AP1', sms: null } },
  })
})

test('the carrier sends text verbatim: braces name no credential', async () => {
  const carrier = await openOwnCarrier()
  const body = 'Your {credentials.authToken} is {To} & <b>ü</b>'
  const statusUrl = 'https://atrium.example/status?number=1'
  const sent = await carrier.sendSms({
    from: NUMBER,
    to: PEER,
    body,
    mediaUrls: ['https://a/1', 'https://a/2'],
    statusUrl,
  })
  expect(sent).toMatchObject({ ok: true, value: { segments: 1 } })
  const { form } = twilio.requestsTo('POST Messages.json').at(-1)!
  expect([form.get('Body'), form.getAll('MediaUrl'), form.get('StatusCallback')]).toEqual([
    body,
    ['https://a/1', 'https://a/2'],
    statusUrl,
  ])
})

test('the carrier reports whether a failed call was certainly not made', async () => {
  const carrier = await openOwnCarrier()
  const call = {
    from: NUMBER,
    to: PEER,
    answer: { twiml: '<Response/>' },
    statusUrl: 'https://atrium.example/s',
  }
  twilio.fail(
    'POST Calls.json',
    { status: 400, code: 21215, message: 'Geo' },
    { status: 503 },
    'lose-response',
  )
  const failures = [
    await carrier.placeCall(call),
    await carrier.placeCall(call),
    await carrier.placeCall(call),
  ]
  expect(failures).toMatchObject([
    {
      failure: {
        status: 400,
        code: '21215',
        isRefused: true,
        message: expect.stringContaining('Geographic'),
      },
    },
    { failure: { status: 503, isRefused: false } },
    { failure: { status: null, isRefused: false } },
  ])
  expect(twilio.calls).toHaveLength(1)
  const placed = await carrier.placeCall({ ...call, timeoutSeconds: 20, detectsMachines: true })
  const { providerId } = (placed as Extract<typeof placed, { ok: true }>).value
  const record = twilio.calls.find(({ resource }) => resource.sid === providerId)!
  expect(record.form.getAll('StatusCallbackEvent')).toEqual(['initiated', 'ringing', 'answered', 'completed'])
  expect([record.form.get('Timeout'), record.form.get('MachineDetection')]).toEqual(['20', 'Enable'])
  record.resource.price = '-0.0130'
  expect(await carrier.redirectCall(providerId, '<Response><Hangup/></Response>')).toMatchObject({ ok: true })
  expect(await carrier.endCall(providerId)).toEqual({ ok: true, value: null })
  expect(await carrier.endCall(providerId)).toEqual({ ok: true, value: null })
  expect(await carrier.readCall(providerId)).toMatchObject({
    value: { status: 'completed', price: '0.0130' },
  })
  expect(await carrier.readCall('CA0')).toEqual({ ok: true, value: null })
})

test("the carrier downloads only the account's content and shows credentials to no other host", async () => {
  const carrier = await openOwnCarrier()
  const medium = twilio.addMedium(twilio.account.sid, { contentType: 'image/png', bytes: Buffer.from('png') })
  const { fields } = twilio.text({ from: PEER, to: NUMBER, body: '', media: [medium] })
  const media = await carrier.download(fields.MediaUrl0!)
  expect(media).toMatchObject({ ok: true, value: { contentType: 'image/png' } })
  expect(await textOf(media)).toBe('png')
  expect(twilio.contentRequests.at(-1)).not.toHaveProperty('authorization')

  await carrier.placeCall({ from: NUMBER, to: PEER, answer: { twiml: '<Response/>' }, statusUrl: '' })
  const recording = twilio.addRecording(twilio.calls.at(-1)!, {
    contentType: 'audio/x-wav',
    bytes: Buffer.alloc(3_000_000, 1),
  })
  expect(await textOf(await carrier.download(recording.RecordingUrl))).toHaveLength(3_000_000)
  expect(await carrier.deleteRecording(recording.RecordingSid)).toEqual({ ok: true, value: null })
  expect(await carrier.deleteRecording(recording.RecordingSid)).toEqual({ ok: true, value: null })
  expect(await carrier.download(recording.RecordingUrl)).toMatchObject({ failure: { status: 404 } })

  const before = twilio.requests.length
  for (const url of [
    recording.RecordingUrl.replace('api.twilio.com', 'api.twilio.com.evil.example'),
    recording.RecordingUrl.replace('https://', 'https://api.twilio.com@evil.example/'),
    recording.RecordingUrl.replace(twilio.account.sid, 'AC00000000000000000000000000000000'),
    recording.RecordingUrl.replace('https:', 'http:'),
  ])
    expect(await carrier.download(url)).toMatchObject({ ok: false, failure: { isRefused: true } })
  expect(twilio.requests).toHaveLength(before)
})

test('the carrier streams content and stops at 200 MB', async () => {
  const chunk = new Uint8Array(16 * 2 ** 20)
  let pulled = 0
  const endless = () =>
    new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(chunk)
      },
    })
  const system = app.app.system()
  const fetch = async () => new Response(endless(), { headers: { 'content-type': 'audio/mpeg' } })
  const outbound = { ...system.outbound, fetch: fetch as never }
  const carrier = await openCarrier(serverOptions(), { ...system, outbound }, newId(), null)
  const url = `https://api.twilio.com/2010-04-01/Accounts/${twilio.account.sid}/Recordings/RE1.mp3`
  const result = await carrier.download(url)
  expect(pulled).toBeLessThan(3)
  await expect(sizeOf(result)).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    message: 'It is larger than 200 MB',
  })
  expect(pulled).toBeLessThan(16)
})

test("the carrier uses a member's connection, and a refused token marks it as failed", async () => {
  const { org, person } = await app.newUser()
  const account = twilio.addAccount()
  const credentials = { accountSid: account.sid, authToken: account.token }
  const connectionId = await insertConnection(app, { ...person, orgId: org.id }, 'twilio', { credentials })
  const system = app.app.system()
  expect(await openAccount(serverOptions(), system, org.id, connectionId)).toEqual({
    provider: 'twilio',
    accountId: account.sid,
    secret: account.token,
    connectionId,
  })
  const carrier = await openCarrier(serverOptions(), system, org.id, connectionId)
  account.token = 'another token of the account, set at Twilio'
  expect(await carrier.findNumber(NUMBER)).toMatchObject({ failure: { status: 401, code: '20003' } })
  await expect(openCarrier(serverOptions(), system, org.id, connectionId)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('has to be authorized again'),
  })
  const { org: other } = await app.newUser()
  await expect(openAccount(serverOptions(), system, other.id, connectionId)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(openAccount(installation(null), system, org.id, null)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'This server has no Twilio account: connect one under Connections',
  })
})

type DownloadResult = Awaited<ReturnType<Awaited<ReturnType<typeof openOwnCarrier>>['download']>>

async function sizeOf(result: DownloadResult) {
  if (!result.ok) throw new Error(result.failure.message)
  let size = 0
  for await (const chunk of result.value.content) size += chunk.length
  return size
}

async function textOf(result: DownloadResult) {
  if (!result.ok) throw new Error(result.failure.message)
  const chunks: Uint8Array[] = []
  for await (const chunk of result.value.content) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
