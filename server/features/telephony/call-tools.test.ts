import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  answerCall,
  connectRelay,
  endRelay,
  eventually,
  reconnect,
  relayUrl,
  type TestCall,
  urlIn,
  waitForSpeech,
} from '../../testing/clients/relay-call.ts'
import { buildTestApp, type TestApp } from '../../testing/test-app.ts'
import { findCall } from './calls/queries.ts'

const TARGET = '+4930555111'

let app: TestApp
let other: TestApp
beforeAll(async () => {
  const env = { ATRIUM_CONNECTOR_TWILIO_URL: 'http://127.0.0.1:9' }
  app = await buildTestApp({ env })
  await app.app.startWorker()
  other = await buildTestApp({ env, on: app.connection })
})
afterAll(async () => {
  await other.close()
  await app.close()
})
afterEach(() => app.clock.reset())

const callsOf = async ({ client, row }: TestCall) => {
  const { items } = await client.agentRuns.steps({ id: (await row()).runId })
  return items.flatMap(({ calls }) => calls.map(({ tool, state }) => `${tool} ${state}`))
}

test("an agent transfers a call only to the rule's numbers", async () => {
  const { call, relay } = await answerCall(app, { action: { targets: [TARGET] } })
  relay.ask(
    'call transfer_call {"target":"+4930999999","reason":"he said so"}',
    '---',
    'say I will connect you.',
    'call transfer_call {"reason":"A question about an invoice"}',
    '---',
    'say This is not heard.',
  )
  await waitForSpeech(relay, 'I will connect you.')
  await eventually(() => {
    app.clock.advance(1)
    return relay.end()
  }).toEqual({ type: 'end', handoffData: '{"transfer":true}' })
  expect(await callsOf(call)).toEqual(['transfer_call failed', 'transfer_call done'])
  expect(relay.spoken()).not.toContain('not heard')
  const held = await endRelay(app, call, { SessionStatus: 'ended' })
  expect(held.text).toContain('<Conference')
  expect((await findCall(app.sql, call.number.orgId, call.id))!.transfer).toMatchObject({ targets: [TARGET] })
})

test('an agent has call tools only in a call, and can transfer only if the rule lists numbers', async () => {
  const { call, relay } = await answerCall(app)
  relay.ask('call transfer_call {"reason":"x"}', '---', 'say No.')
  await waitForSpeech(relay, 'No.')
  expect(await callsOf(call)).toEqual(['transfer_call failed'])
  const message = { content: '```script\ncall end_call {"reason":"x"}\n---\nsay No.\n```' }
  const session = await call.client.sessions.create({
    projectId: call.projectId,
    agentId: call.agentId,
    message,
  })
  const { id } = session.run!
  await eventually(async () => (await call.client.agentRuns.get({ id })).status).toBe('succeeded')
  const { items } = await call.client.agentRuns.steps({ id })
  expect(items[0]!.calls).toMatchObject([{ tool: 'end_call', state: 'failed' }])
})

test("any process with the connection speaks the agent's answers, which follow a member's instructions", async () => {
  const { call, relay } = await answerCall(app)
  relay.ask('say Hello.')
  await waitForSpeech(relay, 'Hello.')
  const elsewhere = await reconnect(other, call)
  await eventually(() => call.timeline()).toContain('relay.reconnected')
  relay.ask('say The earlier connection.')
  await eventually(relay.closed).toMatchObject({ code: 1008 })
  const message = '```script\nsay We offer ten percent.\n```'
  await call.client.calls.whisper({ id: call.id, message })
  await waitForSpeech(elsewhere, 'We offer ten percent.')
  const [whispered] = (await call.transcript()).filter(({ authorId }) => authorId !== null)
  expect(whispered).toMatchObject({ trust: 'trusted', authorId: call.person.id })
  expect(whispered!.text).toContain('[Not heard by the other person]')
  expect(JSON.stringify(await call.transcript())).not.toContain('The earlier connection')
})

test('a call made for a task begins with it, and the agent speaks first', async () => {
  const task = '```script\nsay Good morning, this is Atrium.\n```'
  const { call, relay } = await answerCall(app, { action: { task } })
  expect(relay.spoken()).toBe('')
  await app.sql`update calls set created_by = owner_id, direction = 'outbound' where id = ${call.id}`
  const started = await connectRelay(call, await relayUrl(app, call))
  started.setUp()
  await waitForSpeech(started, 'Good morning, this is Atrium.')
  expect(urlIn((await endRelay(app, call)).text)).toContain(call.id)
})
