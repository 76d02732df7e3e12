import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import { phoneTenant, placedCalls, voiceUrlOf } from '../../../testing/clients/phone-app.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sweepJob } from './jobs.ts'

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
const placedBy = (account: string) => placedCalls(carrier, account)
const sweep = () => app.app.system().enqueue(sweepJob, {})

const typesOf = ({ timeline }: { timeline: { type: string }[] }) => timeline.map(({ type }) => type)

describe('an inbound call', () => {
  test('is connected with the agent of the rule, and ends with its length and its cost', async () => {
    const { client, number, agentId, rule, calls, events } = await tenant({ greeting: 'Good morning' })
    const { id: ruleId } = await rule({ type: 'agent', agentId })
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
    // The carrier asks again, and reports the same twice: nothing changes.
    const again = await carrier.send({ url: voiceUrlOf(call), fields: carrier.callFields(call) })
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

  test('never returns to an earlier status, whatever the order of the callbacks', async () => {
    const { client, number, rule, calls } = await tenant()
    await rule({ type: 'voicemail', message: 'Leave a message' })
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

  test('is forwarded, rejected with or without words, or rejected by default', async () => {
    const { client, number, rule, calls } = await tenant()
    const byDefault = await carrier.call(CALLER, number.e164)
    expect(byDefault.reply.text).toMatch(/<Say language="en-US">.*<\/Say><Hangup\/>/)
    const { id } = await rule({ type: 'reject' })
    expect((await carrier.call(CALLER, number.e164)).reply.text).toContain('<Response><Reject/></Response>')
    await client.routing.update({ id, action: { type: 'reject', message: 'Closed <today>' } })
    const { reply, call } = await carrier.call(CALLER, number.e164)
    expect(reply.text).toContain('Closed &lt;today&gt;</Say><Hangup/>')
    // The carrier bills the words.
    await carrier.play(call, 'completed')
    await client.routing.update({ id, action: { type: 'forward', targets: ['+4930555555'] } })
    const forwarded = await carrier.call(CALLER, number.e164)
    expect(forwarded.reply.text).toMatch(/<Dial [^>]*answerOnBridge="true"/)
    expect(forwarded.reply.text).toContain('+4930555555</Number>')
    expect(forwarded.reply.text).toContain('/dial-ended?')
    // Premium-rate numbers only where the settings name them: the fallback answers.
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

  test('starts the workflow of a block once, with the call as its input', async () => {
    const { client, number, rule, calls, projectId, settled } = await tenant()
    const block = { type: 'agent' as const, x: 0, y: 0, width: 100, height: 100, content: 'Note who called' }
    const { id: blockId } = await client.canvas.create({ projectId, ...block })
    await rule({ type: 'workflow', blockId, message: 'We call you back' })
    const { call, reply } = await carrier.call(CALLER, number.e164)
    expect(reply.text).toMatch(/We call you back<\/Say><Hangup\/>/)
    await carrier.send({ url: voiceUrlOf(call), fields: carrier.callFields(call) })
    const [listed] = await calls()
    const run = await client.agentRuns.get({ id: listed!.runId! })
    expect(run).toMatchObject({ projectId })
    expect(run.trust).not.toBe('trusted')
    const runs = await app.sql`select from runs where project_id = ${projectId}`
    expect(runs).toHaveLength(1)
    await carrier.play(call, 'completed')
    expect(await settled(listed!.id, 'completed')).toMatchObject({ endReason: 'agent_ended' })
  })

  test('is ended politely when a budget is reached', async () => {
    const { org, client, number, agentId, rule, calls } = await tenant()
    await rule({ type: 'agent', agentId })
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

describe('an outbound call', () => {
  test('reads out a message, and a repeated request makes no second call', async () => {
    const { keyed, client, number, events, settled } = await tenant()
    const make = () =>
      keyed.calls.create({ to: CALLER, message: 'Your order is ready' }, { idempotencyKey: number.id })
    const made = await make()
    expect(made).toMatchObject({ direction: 'outbound', from: number.e164, status: 'queued' })
    expect((await make()).id).toBe(made.id)
    const placed = await placedBy(number.accountSid)
    expect(placed).toHaveLength(1)
    const call = placed[0]!
    await carrier.play(call, 'initiated', 'ringing')
    expect(await settled(made.id, 'ringing')).toMatchObject({ answeredAt: null })
    const reply = await carrier.send({ url: call.form.get('Url')!, fields: carrier.callFields(call) })
    expect(reply.text).toMatch(/<Say[^>]*>Your order is ready<\/Say><Hangup\/>/)
    await carrier.play(call, 'in-progress', 'completed')
    const ended = await client.calls.get({ id: made.id })
    expect(ended).toMatchObject({ status: 'completed', durationSeconds: 30, cost: { isEstimate: true } })
    expect(typesOf(ended)).toEqual(['queued', 'ringing', 'in_progress', 'completed'])
    expect(await events(made.id)).toEqual(['call.started', 'call.updated', 'call.updated', 'call.ended'])
  })

  test.each([
    ['busy', 'busy', 'busy'],
    ['no-answer', 'no_answer', 'no_answer'],
    ['failed', 'failed', 'carrier_failed'],
  ])('that is %s costs nothing', async (reported, status, endReason) => {
    const { client, number, agentId } = await tenant()
    const { id } = await client.calls.create({ to: CALLER, agentId, task: 'Ask for the order number' })
    const [placed] = await placedBy(number.accountSid)
    await carrier.play(placed!, 'ringing', reported)
    expect(await client.calls.get({ id })).toMatchObject({ status, endReason, cost: null, agentId })
    expect(await app.sql`select from reservations where org_id = ${number.orgId}`).toHaveLength(0)
  })

  test('whose response was lost is known by its statuses, and fails if there are none', async () => {
    const { client, number, settled } = await tenant()
    carrier.fail('POST Calls.json', 'lose-response')
    const { id } = await client.calls.create({ to: CALLER, message: 'Hello' })
    const [placed] = await placedBy(number.accountSid)
    await carrier.play(placed!, 'ringing')
    await settled(id, 'ringing')
    carrier.fail('POST Calls.json', 'lose-request')
    const lost = await client.calls.create({ to: CALLER, message: 'Hello' })
    await expect
      .poll(() => app.sql`select from calls where id = ${lost.id} and requested_at is not null`)
      .toHaveLength(1)
    app.clock.advance(600)
    await sweep()
    expect(await settled(lost.id, 'failed')).toMatchObject({ endReason: 'carrier_failed' })
    // The other one is still ringing at the carrier.
    expect(await client.calls.get({ id })).toMatchObject({ status: 'ringing' })
    Object.assign(placed!.resource, { status: 'completed', duration: '12' })
    app.clock.advance(600)
    await sweep()
    expect(await settled(id, 'completed')).toMatchObject({ durationSeconds: 12 })
  })

  test('that the carrier refuses fails with its words', async () => {
    const { client, settled } = await tenant()
    carrier.fail('POST Calls.json', { status: 400, code: 21215, message: 'Not permitted to call' })
    const { id } = await client.calls.create({ to: CALLER, message: 'Hello' })
    const failed = await settled(id, 'failed')
    expect(failed.timeline.map(({ type }) => type)).toEqual(['queued', 'carrier.failed', 'failed'])
  })

  test('needs a number and a destination that are allowed', async () => {
    const { client, org } = await tenant()
    const [other] = [await tenant()]
    const refused = (input: object) =>
      expect(client.calls.create({ to: CALLER, message: 'Hello', ...input })).rejects
    await refused({ to: '+499001234567' }).toMatchObject({ details: { reason: 'destination_not_allowed' } })
    await refused({ to: '+12025550123' }).toMatchObject({ details: { reason: 'destination_not_allowed' } })
    await refused({ from: other.number.e164 }).toMatchObject({ details: { reason: 'no_number' } })
    await refused({ agentId: other.agentId }).toMatchObject({ status: 400 })
    await app.sql`update phone_numbers set status = 'error' where org_id = ${org.id}`
    await refused({}).toMatchObject({ details: { reason: 'no_number' } })
  })

  test('is ended at the carrier, once', async () => {
    const { client, number } = await tenant()
    const { id } = await client.calls.create({ to: CALLER, message: 'Hello' })
    const [placed] = await placedBy(number.accountSid)
    await carrier.play(placed!, 'ringing', 'in-progress')
    const ended = await client.calls.hangUp({ id })
    expect(ended).toMatchObject({ status: 'completed', endReason: 'member_ended' })
    expect(await client.calls.hangUp({ id })).toEqual(ended)
    expect(carrier.sent(`POST Calls/${placed!.resource.sid}`)).toHaveLength(1)
    await carrier.play(placed!, 'completed')
    expect(await client.calls.get({ id })).toMatchObject({ endReason: 'member_ended', durationSeconds: 30 })
  })
})

test('calls of projects that a member cannot see are not shown, and other organizations do not exist', async () => {
  const { client, org, number, rule, projectId } = await tenant()
  await rule({ type: 'voicemail' })
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
  const outsider = await app.inBrowser(await app.person(org, { role: 'member', verified: true }))
  await app.sql`update projects set visibility = 'private' where id = ${projectId}`
  expect((await outsider.calls.list({})).items).toEqual([])
  for (const attempt of [() => outsider.calls.get({ id }), () => outsider.calls.hangUp({ id })])
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
  const other = await tenant()
  await expect(other.client.calls.get({ id })).rejects.toMatchObject({ status: 404 })
  const target = { id, targets: ['+4930555555'] }
  await expect(other.client.calls.whisper({ id, message: 'x' })).rejects.toMatchObject({ status: 404 })
  await expect(other.client.calls.transfer(target)).rejects.toMatchObject({ status: 404 })
  // No agent speaks, and nobody has answered.
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
