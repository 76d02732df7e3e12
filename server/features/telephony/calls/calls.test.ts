import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import { phoneTenant, voiceUrl } from '../../../testing/clients/phone-app.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'

const CALLER = '+4915112345678'

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

const tenant = (settings: object = {}) => phoneTenant(app, carrier, settings)

const typesOf = ({ timeline }: { timeline: { type: string }[] }) => timeline.map(({ type }) => type)

describe('inbound call', () => {
  test("is connected to the rule's agent, and ends with its length and cost", async () => {
    const { client, number, agentId, addRule, calls, events } = await tenant({ greeting: 'Good morning' })
    const { id: ruleId } = await addRule({ type: 'agent', agentId })
    const { call, reply } = await carrier.call(CALLER, number.e164)
    expect(reply).toMatchObject({ status: 200, contentType: 'text/xml; charset=utf-8' })
    expect(reply.text).toContain('<ConversationRelay url="ws')
    expect(reply.text).toContain('welcomeGreeting="Good morning"')
    const [listed] = await calls()
    expect(listed).toMatchObject({
      direction: 'inbound',
      from: CALLER,
      to: number.e164,
      numberId: number.id,
      status: 'ringing',
      agentId,
      agentName: 'Helper',
      ruleId,
      endedAt: null,
    })
    // The carrier sends the callback again, and reports the same twice: nothing changes.
    const again = await carrier.send({ url: voiceUrl(call), fields: carrier.callFields(call) })
    expect(again.text).toContain(`/relay/${listed!.id}?token=`)
    const end = [carrier.status(call, 'in-progress'), carrier.status(call, 'completed')]
    for (const status of [...end, ...end]) expect((await carrier.send(status)).status).toBe(204)
    const ended = await client.calls.get({ id: listed!.id })
    expect(ended).toMatchObject({
      status: 'completed',
      endReason: 'caller_hung_up',
      durationSeconds: 30,
      cost: { currency: 'USD', isEstimate: true },
    })
    expect(typesOf(ended)).toEqual(['ringing', 'in_progress', 'completed'])
    expect(await events(ended.id)).toEqual(['call.started', 'call.updated', 'call.ended'])
    expect(await calls()).toHaveLength(1)
  })

  test('never returns to an earlier status, whatever the callback order', async () => {
    const { client, number, addRule, calls } = await tenant()
    await addRule({ type: 'voicemail', message: 'Leave a message' })
    const { call, reply } = await carrier.call(CALLER, number.e164)
    expect(reply.text).toMatch(/<Say[^>]*>Leave a message<\/Say><Record /)
    const { id } = (await calls())[0]!
    const ringing = carrier.status(call, 'ringing')
    const answered = carrier.status(call, 'in-progress')
    const completed = carrier.status(call, 'completed')
    await carrier.send(answered)
    await carrier.send(ringing)
    expect(await client.calls.get({ id })).toMatchObject({ status: 'in_progress' })
    await carrier.send(completed)
    const ended = await client.calls.get({ id })
    for (const late of [ringing, answered, carrier.status(call, 'busy', 9)]) await carrier.send(late)
    expect(await client.calls.get({ id })).toEqual(ended)
  })

  test('is forwarded, rejected with or without a message, or rejected by default', async () => {
    const { client, number, addRule, calls } = await tenant()
    const byDefault = await carrier.call(CALLER, number.e164)
    expect(byDefault.reply.text).toMatch(/<Say language="en-US">.*<\/Say><Hangup\/>/)
    const { id } = await addRule({ type: 'reject' })
    expect((await carrier.call(CALLER, number.e164)).reply.text).toContain('<Response><Reject/></Response>')
    await client.routing.update({ id, action: { type: 'reject', message: 'Closed <today>' } })
    const { reply, call } = await carrier.call(CALLER, number.e164)
    expect(reply.text).toContain('Closed &lt;today&gt;</Say><Hangup/>')
    // The carrier bills the spoken message.
    await carrier.reportStatuses(call, 'completed')
    await client.routing.update({ id, action: { type: 'forward', targets: ['+4930555555'] } })
    const forwarded = await carrier.call(CALLER, number.e164)
    expect(forwarded.reply.text).toMatch(/<Dial [^>]*answerOnBridge="true"/)
    expect(forwarded.reply.text).toContain('+4930555555</Number>')
    expect(forwarded.reply.text).toContain('/dial-ended?')
    // Premium-rate numbers are called only if the settings name them: the fallback answers.
    await client.routing.update({ id, action: { type: 'forward', targets: ['+499001234567'] } })
    expect((await carrier.call(CALLER, number.e164)).reply.text).toContain('<Hangup/>')
    expect((await calls()).map(({ status, endReason }) => [status, endReason])).toEqual([
      ['ringing', null],
      ['ringing', null],
      ['rejected', 'rejected'],
      ['rejected', 'rejected'],
      ['rejected', 'no_rule'],
    ])
    expect((await calls())[2]).toMatchObject({ durationSeconds: 30, cost: { isEstimate: true } })
  })

  test("starts a block's workflow once, with the call as its input", async () => {
    const { client, number, addRule, calls, projectId, waitForStatus } = await tenant()
    const block = { type: 'agent' as const, x: 0, y: 0, width: 100, height: 100, content: 'Note who called' }
    const { id: blockId } = await client.canvas.create({ projectId, ...block })
    await addRule({ type: 'workflow', blockId, message: 'We call you back' })
    const { call, reply } = await carrier.call(CALLER, number.e164)
    expect(reply.text).toMatch(/We call you back<\/Say><Hangup\/>/)
    await carrier.send({ url: voiceUrl(call), fields: carrier.callFields(call) })
    const [listed] = await calls()
    const run = await client.agentRuns.get({ id: listed!.runId! })
    expect(run).toMatchObject({ projectId })
    expect(run.trust).not.toBe('trusted')
    const runs = await app.sql`select from runs where project_id = ${projectId}`
    expect(runs).toHaveLength(1)
    await carrier.reportStatuses(call, 'completed')
    expect(await waitForStatus(listed!.id, 'completed')).toMatchObject({ endReason: 'agent_ended' })
  })

  test('ends with a spoken message when a budget is reached', async () => {
    const { org, client, number, agentId, addRule, calls } = await tenant()
    await addRule({ type: 'agent', agentId })
    await client.budgets.put({ scope: 'org', id: org.id, period: 'month', amount: '0.001', onReach: 'stop' })
    const { reply } = await carrier.call(CALLER, number.e164)
    expect(reply.text).toMatch(/<Say[^>]*>.*<\/Say><Hangup\/>/)
    expect(reply.text).not.toContain('ConversationRelay')
    const [listed] = await calls()
    expect(listed).toMatchObject({ status: 'rejected', endReason: 'budget' })
    await expect(client.calls.create({ to: CALLER, message: 'Hello' })).rejects.toMatchObject({
      status: 400,
      details: { reason: 'budget_reached' },
    })
    expect(await calls()).toHaveLength(1)
  })
})

test('members see no calls from hidden projects or other organizations', async () => {
  const { client, org, number, addRule, projectId } = await tenant()
  await addRule({ type: 'voicemail' })
  const { call } = await carrier.call(CALLER, number.e164)
  await carrier.call('+4915100000000', number.e164)
  const first = await client.calls.list({ limit: 1 })
  const second = await client.calls.list({ limit: 1, cursor: first.nextCursor! })
  expect([...first.items, ...second.items].map(({ from }) => from)).toEqual(['+4915100000000', CALLER])
  expect(second.nextCursor).toBe(null)
  expect((await client.calls.list({ peer: CALLER, open: 'true', direction: 'inbound' })).items).toHaveLength(
    1,
  )
  expect((await client.calls.list({ status: 'completed' })).items).toEqual([])
  const id = second.items[0]!.id
  const outsider = await app.withSession(await app.person(org, { role: 'member', verified: true }))
  await app.sql`update projects set visibility = 'private' where id = ${projectId}`
  expect((await outsider.calls.list({})).items).toEqual([])
  for (const attempt of [() => outsider.calls.get({ id }), () => outsider.calls.hangUp({ id })])
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
  const other = await tenant()
  await expect(other.client.calls.get({ id })).rejects.toMatchObject({ status: 404 })
  const target = { id, targets: ['+4930555555'] }
  await expect(other.client.calls.whisper({ id, message: 'x' })).rejects.toMatchObject({ status: 404 })
  await expect(other.client.calls.transfer(target)).rejects.toMatchObject({ status: 404 })
  // No agent is in the call, and no person has answered.
  await expect(client.calls.whisper({ id, message: 'x' })).rejects.toMatchObject({ status: 409 })
  await expect(client.calls.transfer(target)).rejects.toMatchObject({ status: 409 })
  // Signed by the account of the other tenant, about a call of this one.
  const { fields } = carrier.status(call, 'completed')
  const url = `${app.url}/api/v1/telephony/webhooks/status?number=${other.number.id}`
  const forged = { ...fields, AccountSid: other.number.accountSid }
  expect((await carrier.send({ url, fields: forged })).status).toBe(204)
  expect((await carrier.send({ url: `${url}&call=${id}`, fields: forged })).status).toBe(204)
  expect(await client.calls.get({ id })).toMatchObject({ status: 'ringing' })
})
