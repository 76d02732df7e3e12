import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import type { CallRecord } from '../../../testing/carrier/records.ts'
import { phoneTenant } from '../../../testing/clients/phone-app.ts'
import { connectRelay, eventually, urlIn, waitForSpeech } from '../../../testing/clients/relay-call.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const CALLER = '+4915112345678'
const COLLEAGUE = '+4930555111'

let app: TestApp
let carrier: ScriptedCarrier
beforeAll(async () => {
  carrier = await startCarrier()
  app = await buildTestApp({
    env: { ATRIUM_CONNECTOR_TWILIO_URL: carrier.url, ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' },
  })
  await app.app.startWorker()
})
afterAll(async () => {
  await app.close()
  await carrier.close()
})
beforeEach(() => app.sql`delete from rate_limits`.then(() => undefined))

async function tenant() {
  const phone = await phoneTenant(app, carrier)
  const { id: agentId } = await phone.client.agents.create({ name: 'Reception', model: 'test/script' })
  /** The conversation that the carrier opens for TwiML that connects a call with an agent. */
  const converse = async ({ resource }: CallRecord, twiml: string) => {
    const relay = await connectRelay(
      { from: CALLER, providerId: resource.sid, number: phone.number },
      urlIn(twiml),
    )
    relay.setUp()
    return relay
  }
  return { ...phone, agentId, converse }
}

const actionIn = (twiml: string) => /action="([^"]+)"/.exec(twiml)![1]!.replaceAll('&amp;', '&')

test('an agent transfers a caller to a colleague, who hears the summary and accepts the call', async () => {
  const { number, agentId, addRule, calls, waitForStatus, converse } = await tenant()
  await addRule({ type: 'agent', agentId, targets: [COLLEAGUE] })
  const { call, reply } = await carrier.call(CALLER, number.e164)
  const relay = await converse(call, reply.text)
  await carrier.reportStatuses(call, 'in-progress')
  relay.ask('say I will connect you.', 'call transfer_call {"reason":"An invoice of March"}')
  await waitForSpeech(relay, 'I will connect you.')
  await eventually(() => {
    app.clock.advance(1)
    return relay.end()
  }).toMatchObject({ type: 'end' })
  const held = await carrier.follow(call, actionIn(reply.text), { SessionStatus: 'ended' })
  expect(held.text).toContain('<Conference')
  const find = () =>
    carrier.calls.find(({ resource }) => resource.to === COLLEAGUE && resource.from === number.e164)
  await eventually(find).toBeDefined()
  const leg = find()!
  const answered = { AnsweredBy: 'human', CallStatus: 'in-progress' }
  const brief = await carrier.follow(leg, leg.form.get('Url')!, answered)
  expect(brief.text).toContain('An invoice of March')
  const accepted = await carrier.follow(leg, actionIn(brief.text), { ...answered, Digits: '1' })
  const room = /<Conference[^>]*>([^<]+)</
  expect(room.exec(accepted.text)![1]).toBe(room.exec(held.text)![1])
  const [{ id } = { id: '' }] = await calls()
  await eventually(async () => (await calls())[0]!.transfer?.state).toBe('bridged')
  leg.resource.duration = '61'
  await carrier.reportStatuses(leg, 'completed')
  const goodbye = await carrier.follow(call, actionIn(held.text), { DialCallStatus: 'completed' })
  expect(goodbye.text).toContain('<Hangup/>')
  await carrier.reportStatuses(call, 'completed')
  const ended = await waitForStatus(id, 'completed')
  expect(ended).toMatchObject({ endReason: 'transferred', transfer: { state: 'ended', target: COLLEAGUE } })
  const types = ended.timeline.map(({ type }) => type).filter((type) => /^(transfer|completed)/.test(type))
  expect(types).toEqual([
    ...['transfer.requested', 'transfer.dialing', 'transfer.briefing', 'transfer.bridged'],
    ...['transfer.ended', 'completed'],
  ])
})

test('an agent answers a forwarded call that no target answers', async () => {
  const { number, agentId, addRule, calls, converse } = await tenant()
  await addRule({ type: 'forward', targets: [COLLEAGUE] }, { type: 'agent', agentId })
  const { call, reply } = await carrier.call(CALLER, number.e164)
  expect(reply.text).toContain(`>${COLLEAGUE}</Number>`)
  expect(await calls()).toMatchObject([{ agentId: null }])
  const answered = await carrier.follow(call, actionIn(reply.text), { DialCallStatus: 'no-answer' })
  const relay = await converse(call, answered.text)
  relay.ask('say Good morning.')
  await waitForSpeech(relay, 'Good morning.')
  expect(await calls()).toMatchObject([{ agentId, sessionId: expect.any(String) }])
})

test('rules from a member who leaves no longer apply, and the overview shows them', async () => {
  const { org, client, number, agentId } = await tenant()
  const member = await app.person(org, { role: 'admin', verified: true })
  const memberClient = await app.withSession(member)
  const { id, action } = await memberClient.routing.create({
    name: 'Agent',
    match: {},
    action: { type: 'agent', agentId },
    fallback: { type: 'voicemail' },
  })
  const answer = async () => (await carrier.call(CALLER, number.e164)).reply.text
  expect(await answer()).toContain('<ConversationRelay')
  await client.organization.removeMember({ userId: member.id })
  expect(await answer()).toContain('<Record')
  expect((await client.telephony.overview()).problems).toContainEqual({
    kind: 'rule',
    message: 'The rule “Agent”: The member who last changed the rule has left the organization.',
    target: id,
    since: null,
  })
  await client.routing.update({ id, action })
  expect(await answer()).toContain('<ConversationRelay')
  expect((await client.telephony.overview()).problems).toEqual([])
})

test('a call led by ElevenLabs can be ended and transferred only there, and the refusal says so', async () => {
  const { org, client, projectId } = await tenant()
  const id = newId()
  await app.sql`
    insert into calls (org_id, id, direction, provider, provider_id, from_number, to_number, project_id, status, started_at)
    values (${org.id}, ${id}, 'inbound', 'elevenlabs', ${`conv_${id}`}, ${CALLER}, '+4930111', ${projectId}, 'in_progress',
      ${app.clock.now()})`
  const refused = (message: string) => ({ code: 'CONFLICT', message: expect.stringContaining(message) })
  await expect(client.calls.hangUp({ id })).rejects.toMatchObject(
    refused('ElevenLabs controls this call: end it there'),
  )
  await expect(client.calls.transfer({ id, targets: [COLLEAGUE] })).rejects.toMatchObject(
    refused('ElevenLabs controls this call: transfer it there'),
  )
  expect(await client.calls.get({ id })).toMatchObject({ status: 'in_progress', transfer: null })
})
