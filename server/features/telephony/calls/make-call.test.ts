import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ScriptedCarrier, startCarrier } from '../../../testing/carrier/carrier.ts'
import { phoneTenant, placedCalls } from '../../../testing/clients/phone-app.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sweepJob } from './sweep.ts'

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

describe('outbound call', () => {
  test('reads out a message, and a repeated request makes no second call', async () => {
    const { keyClient, client, number, events, waitForStatus } = await tenant()
    const createCall = () =>
      keyClient.calls.create({ to: CALLER, message: 'Your order is ready' }, { idempotencyKey: number.id })
    const created = await createCall()
    expect(created).toMatchObject({ direction: 'outbound', from: number.e164, status: 'queued' })
    expect((await createCall()).id).toBe(created.id)
    const placed = await placedBy(number.accountSid)
    expect(placed).toHaveLength(1)
    const call = placed[0]!
    await carrier.reportStatuses(call, 'initiated', 'ringing')
    expect(await waitForStatus(created.id, 'ringing')).toMatchObject({ answeredAt: null })
    const reply = await carrier.send({ url: call.form.get('Url')!, fields: carrier.callFields(call) })
    expect(reply.text).toMatch(/<Say[^>]*>Your order is ready<\/Say><Hangup\/>/)
    await carrier.reportStatuses(call, 'in-progress', 'completed')
    const ended = await client.calls.get({ id: created.id })
    expect(ended).toMatchObject({ status: 'completed', durationSeconds: 30, cost: { isEstimate: true } })
    expect(typesOf(ended)).toEqual(['queued', 'ringing', 'in_progress', 'completed'])
    expect(await events(created.id)).toEqual(['call.started', 'call.updated', 'call.updated', 'call.ended'])
  })

  test.each([
    ['busy', 'busy', 'busy'],
    ['no-answer', 'no_answer', 'no_answer'],
    ['failed', 'failed', 'carrier_failed'],
  ])('costs nothing if %s', async (reported, status, endReason) => {
    const { client, number, agentId } = await tenant()
    const { id } = await client.calls.create({ to: CALLER, agentId, task: 'Ask for the order number' })
    const [placed] = await placedBy(number.accountSid)
    await carrier.reportStatuses(placed!, 'ringing', reported)
    expect(await client.calls.get({ id })).toMatchObject({ status, endReason, cost: null, agentId })
    expect(await app.sql`select from reservations where org_id = ${number.orgId}`).toHaveLength(0)
  })

  test('is made once if its response was lost: identified by statuses or found at the carrier', async () => {
    const { client, number, waitForStatus } = await tenant()
    const requests = () =>
      carrier.calls.filter(({ resource }) => resource.account_sid === number.accountSid).length
    carrier.fail('POST Calls.json', 'lose-response', 'lose-response')
    const { id: reported } = await client.calls.create({ to: CALLER, message: 'Hello' })
    const [placed] = await placedBy(number.accountSid)
    await carrier.reportStatuses(placed!, 'ringing')
    await waitForStatus(reported, 'ringing')
    const { id: silent } = await client.calls.create({ to: CALLER, message: 'Hello' })
    await expect.poll(requests).toBe(2)
    const unreported = carrier.calls.at(-1)!
    unreported.resource.status = 'in-progress'
    // The request to an unreachable carrier is repeated, and makes no call in the meantime.
    carrier.fail('GET Calls.json', { status: 500 })
    app.clock.advance(90)
    await sweep()
    await expect.poll(() => carrier.requestsTo('GET Calls.json').length).toBeGreaterThan(0)
    app.clock.advance(90)
    // The failed look may still be ending, and a sweep leaves it alone.
    await expect
      .poll(async () => {
        await sweep()
        return (await client.calls.get({ id: silent })).status
      })
      .toBe('in_progress')
    const found = await client.calls.get({ id: silent })
    expect(typesOf(found)).toEqual(['queued', 'carrier.found', 'in_progress'])
    expect(requests()).toBe(2)
    await carrier.reportStatuses(unreported, 'completed')
    await waitForStatus(silent, 'completed')
    // The other one is still ringing at the carrier.
    expect(await client.calls.get({ id: reported })).toMatchObject({ status: 'ringing' })
    Object.assign(placed!.resource, { status: 'completed', duration: '12' })
    app.clock.advance(600)
    await sweep()
    expect(await waitForStatus(reported, 'completed')).toMatchObject({ durationSeconds: 12 })
  })

  test('is made later if it did not reach the carrier, unless it is too late', async () => {
    const { client, number, waitForStatus } = await tenant()
    const request = async () => {
      carrier.fail('POST Calls.json', 'lose-request')
      const { id } = await client.calls.create({ to: CALLER, message: 'Hello' })
      await expect
        .poll(() => app.sql`select from calls where id = ${id} and requested_at is not null`)
        .toHaveLength(1)
      return id
    }
    const created = await request()
    app.clock.advance(90)
    await sweep()
    const [placed, ...others] = await placedBy(number.accountSid)
    expect(others).toEqual([])
    await carrier.reportStatuses(placed!, 'ringing', 'in-progress', 'completed')
    await waitForStatus(created, 'completed')
    const late = await request()
    app.clock.advance(900)
    await sweep()
    const failed = await waitForStatus(late, 'failed')
    expect(failed).toMatchObject({ endReason: 'carrier_failed' })
    expect(failed.timeline.find(({ type }) => type === 'carrier.failed')?.detail).toContain(
      'does not have it',
    )
    expect(await placedBy(number.accountSid)).toHaveLength(1)
  })

  test("fails with the carrier's message if the carrier refuses it", async () => {
    const { client, waitForStatus } = await tenant()
    carrier.fail('POST Calls.json', { status: 400, code: 21215, message: 'Not permitted to call' })
    const { id } = await client.calls.create({ to: CALLER, message: 'Hello' })
    const failed = await waitForStatus(id, 'failed')
    expect(failed.timeline.map(({ type }) => type)).toEqual(['queued', 'carrier.failed', 'failed'])
  })

  test('needs an allowed number and destination', async () => {
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

  test('is ended once at the carrier', async () => {
    const { client, number } = await tenant()
    const { id } = await client.calls.create({ to: CALLER, message: 'Hello' })
    const [placed] = await placedBy(number.accountSid)
    await carrier.reportStatuses(placed!, 'ringing', 'in-progress')
    const ended = await client.calls.hangUp({ id })
    expect(ended).toMatchObject({ status: 'completed', endReason: 'member_ended' })
    expect(await client.calls.hangUp({ id })).toEqual(ended)
    expect(carrier.requestsTo(`POST Calls/${placed!.resource.sid}`)).toHaveLength(1)
    await carrier.reportStatuses(placed!, 'completed')
    expect(await client.calls.get({ id })).toMatchObject({ endReason: 'member_ended', durationSeconds: 30 })
  })
})
