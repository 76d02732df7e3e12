import twilio from 'twilio'
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../../server/testing/carrier/carrier.ts'
import { startReceiver } from '../../../server/testing/fakes/receiver.ts'

const NUMBER = '+4930111111'
const PEER = '+4917012345678'

let carrier: ScriptedCarrier
let atrium: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  carrier = await startCarrier()
  atrium = await startReceiver()
})
afterAll(async () => {
  await carrier.close()
  await atrium.close()
})

/** Twilio's own library, whose requests go to the scripted carrier. */
function library(token = carrier.account.token) {
  const client = twilio(carrier.account.sid, token)
  const { httpClient } = client
  const send = httpClient.request.bind(httpClient)
  httpClient.request = (options) =>
    send({ ...options, uri: options.uri.replace(/^https:\/\/[^/]+/, carrier.url) }) as never
  return client
}

test("the scripted carrier implements the protocol in Twilio's own library", async () => {
  const { sid } = carrier.addNumber(NUMBER)
  carrier.addNumber(`${NUMBER}9`)
  const client = library()
  const [listed] = await client.incomingPhoneNumbers.list({ phoneNumber: NUMBER })
  expect(listed).toMatchObject({ sid, phoneNumber: NUMBER, capabilities: { voice: true, sms: true } })
  const updated = await client.incomingPhoneNumbers(sid).update({ voiceUrl: atrium.url, smsUrl: '' })
  expect(updated).toMatchObject({ voiceUrl: atrium.url, smsUrl: '' })

  const call = await client.calls.create({ from: NUMBER, to: PEER, twiml: '<Response/>' })
  expect(call).toMatchObject({ status: 'queued', direction: 'outbound-api', price: null })
  carrier.calls[0]!.resource.price = '-0.0085'
  expect(await client.calls(call.sid).fetch()).toMatchObject({ price: '-0.0085', priceUnit: 'USD' })
  expect(await client.calls(call.sid).update({ status: 'completed' })).toMatchObject({ status: 'completed' })
  await expect(client.calls(call.sid).update({ status: 'completed' })).rejects.toMatchObject({ code: 21220 })

  const message = await client.messages.create({ from: NUMBER, to: PEER, body: 'Hello' })
  expect(await client.messages(message.sid).fetch()).toMatchObject({ body: 'Hello', status: 'queued' })
  await expect(client.messages.create({ from: PEER, to: NUMBER, body: 'x' })).rejects.toMatchObject({
    code: 21606,
    status: 400,
  })
  await expect(library('wrong').calls.list()).rejects.toMatchObject({ code: 20003, status: 401 })
})

test("the scripted carrier signs callbacks as Twilio's own library expects, and sends them in any order", async () => {
  const { call, reply } = await carrier.call(PEER, NUMBER)
  expect(reply).toMatchObject({ status: 200, text: 'thanks' })
  call.form.set('StatusCallback', `${atrium.url}?number=1`)
  const late = carrier.status(call, 'ringing')
  await carrier.reportStatuses(call, 'in-progress', 'completed')
  await carrier.send(late)
  const received = atrium.requests.slice(-3).map(({ body, headers, path }) => {
    const fields = Object.fromEntries(new URLSearchParams(body))
    const url = new URL(path, atrium.url).href
    const isValid = validateRequest(carrier.account.token, headers['x-twilio-signature']!, url, fields)
    return [fields.CallStatus, fields.SequenceNumber, isValid]
  })
  expect(received).toEqual([
    ['in-progress', '1', true],
    ['completed', '2', true],
    ['ringing', '0', true],
  ])
})

test('the scripted carrier fails on request with a Twilio error, before or after it acts', async () => {
  carrier.fail('POST Messages.json', { status: 400, code: 21610, message: 'Attempt to send to unsubscribed' })
  carrier.fail('POST Messages.json', 'lose-request', 'lose-response')
  const before = carrier.messages.length
  const send = () => library().messages.create({ from: NUMBER, to: PEER, body: 'Hello' })
  await expect(send()).rejects.toMatchObject({ code: 21610, status: 400 })
  await expect(send()).rejects.toThrow('socket hang up')
  expect(carrier.messages).toHaveLength(before)
  await expect(send()).rejects.toThrow('socket hang up')
  expect(carrier.messages).toHaveLength(before + 1)
})
