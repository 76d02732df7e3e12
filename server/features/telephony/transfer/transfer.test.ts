import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ScriptedCarrier } from '../../../testing/carrier/carrier.ts'
import { type CallRecord, newSid } from '../../../testing/carrier/records.ts'
import { buildCarrierApp, CALLER, insertOpenCall } from '../../../testing/clients/open-call.ts'
import type { TestApp } from '../../../testing/test-app.ts'
import { MISSES, type Miss } from '../calls/transfer-states.ts'
import { claimTransfers } from './transfer.ts'

const [FIRST, SECOND, THIRD] = ['+4930555001', '+4930555002', '+4930555003']

let app: TestApp
let twilio: ScriptedCarrier
let close: () => Promise<void>
beforeAll(async () => {
  ;({ app, twilio, close } = await buildCarrierApp())
})
afterAll(() => close())
beforeEach(() => app.sql`delete from rate_limits`.then(() => undefined))

/** A call in progress, in which an agent speaks with the caller. */
async function insertCallInProgress(options: Parameters<typeof insertOpenCall>[2] = {}) {
  const call = await insertOpenCall(app, twilio, options)
  const { id, number, carrierCall, client, read, urlOf } = call
  const transfer = async () => (await read()).transfer!
  return {
    ...call,
    transfer,
    start: (targets: string[], summary?: string) =>
      client.calls.transfer({ id, targets, ...(summary && { summary }) }),
    expectState: (state: string) => expect.poll(async () => (await transfer()).state).toBe(state),
    /** The leg of a target, once it is dialed. */
    waitForLeg: async (to: string): Promise<CallRecord> => {
      const find = () => twilio.calls.find(({ resource: leg }) => leg.to === to && leg.from === number.e164)
      await expect.poll(find).toBeDefined()
      await expect.poll(async () => (await transfer()).leg ?? (await transfer()).state).not.toBe('dialing')
      return find()!
    },
    /** The TwiML that the carrier has for the caller now. */
    callerTwiml: () => carrierCall.form.get('Twiml') ?? '',
    hangUp: () =>
      twilio.follow(carrierCall, urlOf('status'), {
        CallStatus: 'completed',
        CallDuration: '9',
        SequenceNumber: '9',
      }),
  }
}

/** The target answers, and presses a key. */
const answer = (leg: CallRecord, answeredBy = 'human') =>
  twilio.follow(leg, leg.form.get('Url')!, { AnsweredBy: answeredBy, CallStatus: 'in-progress' })
const press = (leg: CallRecord, digits: string) =>
  twilio.follow(leg, `${leg.form.get('Url')!}&step=key`, { Digits: digits, CallStatus: 'in-progress' })

const actionIn = (twiml: string) => /action="([^"]+)"/.exec(twiml)![1]!.replaceAll('&amp;', '&')

describe('call transfer', () => {
  test('connects the caller to a target that takes the call, despite repeated callbacks', async () => {
    const recorded = await insertCallInProgress({ action: { type: 'agent', record: true } })
    const { start, expectState, waitForLeg, callerTwiml, carrierCall, read, timeline, orgId, id } = recorded
    await start([FIRST], 'An invoice <of> March & more')
    const leg = await waitForLeg(FIRST)
    expect(callerTwiml()).toContain('<Conference startConferenceOnEnter="true" endConferenceOnExit="false"')
    expect(Object.fromEntries(leg.form)).toMatchObject({ Timeout: '20', MachineDetection: 'Enable' })
    const briefs = [await answer(leg), await answer(leg)]
    for (const { text } of briefs) {
      expect(text).toContain('<Gather')
      expect(text).toContain('An invoice &lt;of&gt; March &amp; more')
      expect(text).toContain('This call is recorded.')
    }
    expect(actionIn(briefs[0]!.text)).toBe(`${leg.form.get('Url')}&step=key`)
    for (const { text } of [await press(leg, '1'), await press(leg, '1')])
      expect(text).toContain('endConferenceOnExit="true"')
    await expectState('bridged')
    // A late status of the ringing leg changes nothing.
    await twilio.reportStatuses(leg, 'ringing')
    leg.resource.duration = '61'
    await twilio.reportStatuses(leg, 'completed', 'completed')
    await expectState('ended')
    const ended = await twilio.follow(carrierCall, actionIn(callerTwiml()), { DialCallStatus: 'completed' })
    expect(ended.text).toContain('The other person has hung up. Goodbye.</Say><Hangup/>')
    expect(await timeline()).toEqual([
      ['transfer.requested', FIRST],
      ['transfer.dialing', FIRST],
      ['transfer.briefing', FIRST],
      ['transfer.bridged', FIRST],
      ['transfer.ended', null],
    ])
    expect(await read()).toMatchObject({ endReason: 'transferred', cost: '0.100000', costIsEstimate: true })
    const costs =
      await app.sql`select item from telephony_costs where org_id = ${orgId} and subject_id = ${id}`
    expect(costs).toEqual([{ item: leg.resource.sid }])
  })

  test.each<[string, Miss, (leg: CallRecord) => Promise<unknown>]>([
    ['busy', 'busy', (leg: CallRecord) => twilio.reportStatuses(leg, 'ringing', 'busy')],
    ['no answer', 'no_answer', (leg: CallRecord) => twilio.reportStatuses(leg, 'no-answer')],
    ['a machine', 'machine', (leg: CallRecord) => answer(leg, 'machine_start')],
    [
      'a refusal',
      'refused',
      async (leg: CallRecord) => {
        await answer(leg)
        expect((await press(leg, '2')).text).toContain('<Hangup/>')
      },
    ],
    [
      'no key',
      'refused',
      async (leg: CallRecord) => {
        await answer(leg)
        await press(leg, '')
      },
    ],
  ])('dials the next target after %s', async (_, reason, miss) => {
    const { start, expectState, waitForLeg, transfer, timeline } = await insertCallInProgress()
    await start([FIRST, SECOND])
    const first = await waitForLeg(FIRST)
    await miss(first)
    const second = await waitForLeg(SECOND)
    expect(await transfer()).toMatchObject({ state: 'dialing', target: SECOND, reason })
    // A late answer of the first target changes nothing.
    expect((await press(first, '1')).text).toContain('<Hangup/>')
    await twilio.reportStatuses(first, 'completed')
    expect((await transfer()).leg).toBe(second.resource.sid)
    await answer(second)
    await press(second, '1')
    await expectState('bridged')
    expect(await timeline()).toContainEqual(['transfer.missed', `${FIRST}: ${MISSES[reason]}`])
  })

  test('returns the caller to the agent once, with the reason, when no target takes the call', async () => {
    const { start, waitForLeg, transfer, callerTwiml, timeline, orgId, id } = await insertCallInProgress()
    await start([FIRST, SECOND])
    await twilio.reportStatuses(await waitForLeg(FIRST), 'busy')
    await twilio.reportStatuses(await waitForLeg(SECOND), 'no-answer', 'no-answer')
    await expect.poll(async () => (await transfer()).isReturned).toBe(true)
    expect(callerTwiml()).toContain('<ConversationRelay')
    const messages = await app.sql<{ body: string }[]>`
      select m.body from messages m join agent_sessions s on s.org_id = m.org_id and s.id = m.session_id
      where s.org_id = ${orgId} and s.key = ${`call:${id}`} and m.role = 'user'`
    expect(messages.map(({ body }) => body)).toEqual([expect.stringContaining('no one answered')])
    expect((await timeline()).slice(-2)).toEqual([
      ['transfer.missed', `${SECOND}: no one answered`],
      ['transfer.failed', 'no one answered'],
    ])
    // The agent may try again.
    await start([FIRST])
    expect(await transfer()).toMatchObject({ n: 2, state: expect.stringMatching(/requested|dialing/) })
  })

  test('ends with a spoken message when no target takes the call and there is no agent', async () => {
    const { start, waitForLeg, transfer, callerTwiml, read } = await insertCallInProgress({ hasAgent: false })
    await start([FIRST])
    await twilio.reportStatuses(await waitForLeg(FIRST), 'failed')
    await expect.poll(async () => (await transfer()).isReturned).toBe(true)
    expect(callerTwiml()).toContain('No one is available at the moment')
    expect((await read()).endReason).toBe('no_answer')
  })

  test("ends the target's leg when the caller hangs up", async () => {
    const call = await insertCallInProgress()
    const { start, waitForLeg, hangUp, expectState, carrierCall, callerTwiml, transfer } = call
    await start([FIRST, SECOND])
    const leg = await waitForLeg(FIRST)
    await hangUp()
    await expectState('ended')
    await expect.poll(() => leg.resource.status).toBe('completed')
    expect((await answer(leg)).text).toContain('no longer on the line')
    const last = await twilio.follow(carrierCall, actionIn(callerTwiml()), { CallStatus: 'completed' })
    expect(last.text).toContain('<Response><Hangup/></Response>')
    expect(
      twilio.calls.filter(
        ({ resource }) => resource.to === SECOND && resource.from === carrierCall.resource.to,
      ),
    ).toEqual([])
    expect((await transfer()).ending).toEqual([])
  })

  test('ends after the caller has hung up, even if the call status was lost', async () => {
    const { start, waitForLeg, expectState, carrierCall, callerTwiml } = await insertCallInProgress()
    await start([FIRST])
    const leg = await waitForLeg(FIRST)
    carrierCall.resource.status = 'completed'
    const conference = /statusCallback="([^"]+)"/.exec(callerTwiml())![1]!.replaceAll('&amp;', '&')
    await twilio.follow(carrierCall, conference, { StatusCallbackEvent: 'participant-leave' })
    await expectState('ended')
    await expect.poll(() => leg.resource.status).toBe('completed')
  })

  test("continues when callbacks are lost, a process is killed, or the carrier's response is lost", async () => {
    const { start, waitForLeg, expectState, transfer, number, orgId } = await insertCallInProgress()
    twilio.fail(`POST Calls.json`, 'lose-response')
    await start([FIRST, SECOND])
    await expect.poll(async () => (await transfer()).isDialed).toBe(true)
    // No more callbacks arrive for the first target. A process claims the transfer and is killed.
    app.clock.advance(80)
    const now = app.clock.now()
    const leasedUntil = new Date(now.getTime() + 45_000)
    await claimTransfers(app.sql, { running: [], perOrganization: 9, limit: 99, now, leasedUntil })
    app.clock.advance(50)
    const second = await waitForLeg(SECOND)
    const dials = twilio.requestsTo('POST Calls.json').filter(({ form }) => form.get('From') === number.e164)
    expect(dials.map(({ form }) => form.get('To'))).toEqual([FIRST, SECOND])
    await answer(second)
    await press(second, '1')
    await expectState('bridged')
    expect(await app.sql`select from calls where org_id = ${orgId} and transfer_due_at is not null`).toEqual(
      [],
    )
  })

  test('is refused for other destinations, during another transfer, and after the end', async () => {
    const { start, hangUp } = await insertCallInProgress()
    await expect(start(['+14155550100'])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: { reason: 'destination_not_allowed' },
    })
    await start([FIRST])
    await expect(start([SECOND])).rejects.toMatchObject({ code: 'CONFLICT' })
    await hangUp()
    await expect(start([SECOND])).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})

describe('forwarded call', () => {
  const insertForwardedCall = async () => {
    const fallback = { type: 'forward', targets: [THIRD] }
    // Calls of a German number may not go to the second target.
    const action = { type: 'forward', record: true, targets: [FIRST, '+14155550100', SECOND], fallback }
    const call = await insertCallInProgress({ hasAgent: false, action })
    const endDial = (target: number, fields: Record<string, string>, query = '') =>
      twilio.follow(call.carrierCall, call.urlOf('dial-ended', `&target=${target}${query}`), fields)
    return { ...call, endDial }
  }

  test("dials the next target, then the rule's fallback, and ends with a message", async () => {
    const { endDial, read, timeline, carrierCall } = await insertForwardedCall()
    const second = await endDial(0, { DialCallStatus: 'busy' })
    expect(second.text).toContain(`callerId="${CALLER}"`)
    expect(second.text).toContain(`>${SECOND}</Number>`)
    const notice = /<Number url="([^"]+)"/.exec(second.text)![1]!.replaceAll('&amp;', '&')
    expect((await twilio.follow(carrierCall, notice)).text).toContain('This call is recorded.')
    expect(actionIn(second.text)).toContain('target=2')
    // A repeated callback gets the same answer.
    expect((await endDial(0, { DialCallStatus: 'busy' })).text).toBe(second.text)
    const third = await endDial(2, { DialCallStatus: 'no-answer' })
    expect(third.text).toContain(`<Number>${THIRD}</Number>`)
    const unanswered = await endDial(0, { DialCallStatus: 'failed' }, '&fallback=1')
    expect(unanswered.text).toContain('No one is available')
    expect(await timeline()).toEqual([
      ['forward.missed', `${FIRST}: busy`],
      ['forward.missed', `${SECOND}: no-answer`],
      ['forward.missed', `${THIRD}: failed`],
    ])
    expect((await read()).endReason).toBe('no_answer')
  })

  test("ends as transferred, with its leg's cost, if a target took it", async () => {
    const { endDial, read } = await insertForwardedCall()
    const fields = { DialCallStatus: 'completed', DialCallSid: newSid('CA'), DialCallDuration: '30' }
    for (const { text } of [await endDial(0, fields), await endDial(0, fields)])
      expect(text).toContain('<Hangup/>')
    expect(await read()).toMatchObject({ endReason: 'transferred', cost: '0.050000' })
  })
})
