import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createCarrier } from '../../../testing/clients/phone-app.ts'
import {
  answerCall,
  connectRelay,
  endRelay,
  eventually,
  insertCall,
  type Relay,
  reconnect,
  relayUrl,
  signUrl,
  waitForSpeech,
} from '../../../testing/clients/relay-call.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
afterEach(() => app.clock.reset())

/** Connects, and returns the response that refuses the handshake. */
function readRefusal(url: string, signature: string): Promise<{ status: number; reason: string }> {
  const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signature } })
  return new Promise((resolve, reject) => {
    socket.on('open', () => reject(new Error('connected')))
    socket.on('error', reject)
    socket.on('unexpected-response', async (_request, response) => {
      const { error } = JSON.parse((await response.toArray()).join(''))
      resolve({ status: response.statusCode!, reason: error.details?.reason })
    })
  })
}

describe('relay connection', () => {
  test("needs the carrier's signature and an unused call token", async () => {
    const [call, other] = [await insertCall(app), await insertCall(app)]
    const url = await relayUrl(app, call)
    const foreign = (await relayUrl(app, other)).replace(other.id, call.id)
    const forged = signUrl({ ...call.number, authToken: 'guess' }, url)
    expect(await readRefusal(url, forged)).toEqual({ status: 403, reason: 'bad_signature' })
    expect(await readRefusal(url, '')).toEqual({ status: 403, reason: 'missing_signature' })
    expect(await readRefusal(url, signUrl(other.number, url))).toEqual({
      status: 403,
      reason: 'bad_signature',
    })
    expect(await readRefusal(foreign, signUrl(call.number, foreign))).toEqual({
      status: 403,
      reason: 'bad_token',
    })
    const bare = url.split('?')[0]!
    expect(await readRefusal(bare, signUrl(call.number, bare))).toEqual({
      status: 403,
      reason: 'bad_token',
    })
    await connectRelay(call, url)
    expect(await readRefusal(url, signUrl(call.number, url))).toEqual({
      status: 403,
      reason: 'used_token',
    })
    const late = await relayUrl(app, call)
    app.clock.advance(301)
    expect(await readRefusal(late, signUrl(call.number, late))).toEqual({
      status: 403,
      reason: 'used_token',
    })
    const [{ count }] = await app.sql<[{ count: number }]>`
      select count(*)::int from events where webhook_id = ${call.number.id} and status = 'rejected'`
    expect(count).toBe(3)
  })

  test("ends with a reason for a malformed message or another call's, and ignores unknown ones", async () => {
    const call = await insertCall(app)
    const send = async (...messages: unknown[]) => {
      const relay = await connectRelay(call, await relayUrl(app, call))
      for (const message of messages)
        relay.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
      return relay
    }
    const setup = { type: 'setup', callSid: call.providerId }
    const expectClosed = async (relay: Relay, code: number, reason: string) =>
      eventually(relay.closed).toEqual({ code, reason: expect.stringContaining(reason) })
    await expectClosed(await send('{'), 1007, 'malformed')
    await expectClosed(await send(setup, { type: 'prompt' }), 1007, 'prompt.voicePrompt')
    await expectClosed(await send({ type: 'prompt', voicePrompt: 'hi' }), 1008, 'setup')
    await expectClosed(await send({ type: 'setup', callSid: 'CA-other' }), 1008, 'another call')
    const relay = await send(setup, { type: 'new', anything: 1 }, { type: 'error', description: 'odd\0' })
    await eventually(() => call.timeline()).toContain('relay.error: odd\uFFFD')
    expect(relay.closed()).toBeNull()
  })

  test('is reopened after a loss, and nothing is spoken twice', async () => {
    const { call, relay } = await answerCall(app)
    relay.ask('say First part.', 'say More.', 'wait 1500', 'say Second part.')
    await waitForSpeech(relay, 'First part.')
    await eventually(async () => (await call.row()).relay.position?.seq).toBeGreaterThan(0)
    relay.socket.terminate()
    await eventually(() => call.timeline()).toContain('relay.disconnected: 1006')
    const heard = relay.spoken()
    const again = await reconnect(app, call)
    await waitForSpeech(again, 'Second part.')
    expect(again.spoken()).not.toContain('First part.')
    expect(`${heard} ${again.spoken()}`.replace(/\s+/g, ' ')).toBe('First part. More. Second part.')
    expect(await call.timeline()).toContain('relay.reconnected')
    again.ask('say Still here.')
    await waitForSpeech(again, 'Still here.')
  })

  test('is reopened at most five times, and not after the caller hung up', async () => {
    const call = await insertCall(app)
    const gone = await endRelay(app, call, { CallStatus: 'completed' })
    expect(gone.text).toContain('<Response><Hangup/></Response>')
    for (let count = 0; count < 5; count += 1)
      expect((await endRelay(app, call)).text).toContain('<ConversationRelay')
    const last = await endRelay(app, call)
    expect(last.text).toMatch(/<Say.*sorry.*<Hangup\/>/)
    expect(await call.row()).toMatchObject({ endReason: 'connection_lost' })
    const other = await insertCall(app)
    const foreign = await createCarrier(app, other.number).send({
      route: 'relay-ended',
      query: `?number=${other.number.id}&call=${call.id}`,
      fields: { CallSid: call.providerId },
    })
    expect(foreign.text).toContain('<Response><Hangup/></Response>')
  })
})
