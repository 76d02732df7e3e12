import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../security/ids.ts'
import { insertNumber } from '../../../testing/clients/phone-app.ts'
import type { Person } from '../../../testing/factories/factories.ts'
import { insertTelephony } from '../../../testing/factories/telephony.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { sumDays } from './days.ts'

const DAY_MS = 86_400_000

let app: TestApp
let start: number
beforeAll(async () => {
  app = await buildTestApp()
  start = app.clock.now().getTime()
})
afterAll(() => app.close())

async function createOwner() {
  const { org, person } = await app.newUser({ role: 'owner' })
  const client = await app.withSession(person)
  const [agent] = await app.sql<{ id: string }[]>`select id from agents where org_id = ${org.id} limit 1`
  const { id: projectId } = await app.project(person)
  return { org, person, client, projectId, agentId: agent!.id }
}

interface SeededCall {
  daysAgo: number
  seconds?: number | null
  direction?: 'inbound' | 'outbound'
  status?: string
  endReason?: string | null
}

const at = (daysAgo: number) => new Date(start - daysAgo * DAY_MS)
const dayOf = (daysAgo: number) => at(daysAgo).toISOString().slice(0, 10)

async function insertCall({ orgId }: Person, projectId: string, call: SeededCall) {
  const { daysAgo, seconds = 60, direction = 'inbound', status = 'completed', endReason = null } = call
  const id = newId()
  const time = at(daysAgo)
  const ended = ['queued', 'ringing', 'in_progress'].includes(status) ? null : time
  await app.sql`
    insert into calls (org_id, id, direction, provider, from_number, to_number, project_id, status, started_at,
      answered_at, ended_at, duration_seconds, end_reason)
    values (${orgId}, ${id}, ${direction}, 'twilio', '+4917012345678', '+4930111111', ${projectId}, ${status}, ${time},
      ${seconds === null ? null : time}, ${ended}, ${seconds}, ${endReason})`
  return id
}

async function insertSms(
  { orgId }: Person,
  number: { id: string; projectId: string },
  daysAgo: number,
  status: string,
) {
  const direction = status === 'received' ? 'inbound' : 'outbound'
  await app.sql`
    insert into sms_messages (org_id, id, direction, number_id, project_id, peer, from_number, to_number, body, status,
      segments, encoding, created_at)
    values (${orgId}, ${newId()}, ${direction}, ${number.id}, ${number.projectId}, '+4917012345678', '+4930111111',
      '+4917012345678', 'Hello', ${status}, 1, 'GSM-7', ${at(daysAgo)})`
}

const insertCost = ({ orgId, id }: Person, projectId: string, daysAgo: number, cost: string) => app.sql`
  insert into usage (org_id, id, project_id, step, attempt, kind, user_id, provider, model, quantity, cost, price_source, at)
  values (${orgId}, ${newId()}, ${projectId}, 0, 1, 'call', ${id}, 'twilio', 'call/twilio', '{}', ${cost}, 'estimate',
    ${at(daysAgo)})`

describe('telephony overview', () => {
  test('is complete for an organization without telephony', async () => {
    const { client } = await createOwner()
    expect(await client.telephony.overview()).toEqual({
      configured: false,
      numbers: [],
      activeCalls: [],
      recentCalls: [],
      lastDay: { calls: 0, missed: 0, received: 0, sent: 0, failed: 0 },
      days: [],
      problems: [],
    })
  })

  test('sums days and the last day, and stored sums stay the same', async () => {
    const { person, client, projectId } = await createOwner()
    const number = await insertNumber(app, person, { projectId })
    for (const daysAgo of [0, 1, 1, 2, 29, 31]) await insertCall(person, projectId, { daysAgo, seconds: 90 })
    await insertCall(person, projectId, { daysAgo: 0, seconds: null, status: 'no_answer' })
    await insertCall(person, projectId, { daysAgo: 0, seconds: null, status: 'rejected' })
    const active = await insertCall(person, projectId, { daysAgo: 0, seconds: null, status: 'ringing' })
    for (const status of ['received', 'received', 'delivered', 'failed', 'undelivered'])
      await insertSms(person, number, 0.1, status)
    await insertSms(person, number, 2, 'delivered')
    await insertCost(person, projectId, 2, '0.0170')
    const read = () => client.telephony.overview()
    const before = await read()
    expect(before.lastDay).toEqual({ calls: 4, missed: 1, received: 2, sent: 3, failed: 2 })
    const messagesOn = (daysAgo: number) => (dayOf(daysAgo) === dayOf(0.1) ? 5 : 0)
    expect(before.days).toEqual([
      { date: dayOf(29), calls: 1, minutes: 2, messages: 0, cost: '0.000000' },
      { date: dayOf(2), calls: 1, minutes: 2, messages: 1, cost: '0.017000' },
      { date: dayOf(1), calls: 2, minutes: 3, messages: messagesOn(1), cost: '0.000000' },
      { date: dayOf(0), calls: 4, minutes: 2, messages: messagesOn(0), cost: '0.000000' },
    ])
    expect(before.activeCalls.map(({ id }) => id)).toEqual([active])
    expect(before.recentCalls).toHaveLength(9)
    await sumDays(app.app.system())
    expect((await read()).days).toEqual(before.days)
    await sumDays(app.app.system())
    await insertCall(person, projectId, { daysAgo: 0, seconds: 60 })
    const after = (await read()).days
    expect(after.slice(0, -1)).toEqual(before.days.slice(0, -1))
    expect(after.at(-1)).toMatchObject({ calls: 5, minutes: 3 })
    // Stored days are not read from the calls again.
    const [stored] = await app.sql`
      select sum(calls)::int as calls, sum(messages)::int as messages, max(day)::text as last from telephony_days
      where org_id = ${person.orgId}`
    expect(stored).toEqual({ calls: 4, messages: 1 + messagesOn(1), last: dayOf(1) })
  })

  test('shows calls, messages and costs from visible projects only', async () => {
    const { org, person, client } = await createOwner()
    const { id: hidden } = await app.project(person, { visibility: 'private' })
    const number = await insertNumber(app, person, { projectId: hidden })
    await insertCall(person, hidden, { daysAgo: 0 })
    await insertCall(person, hidden, { daysAgo: 1.5, status: 'in_progress' })
    await insertSms(person, number, 0.1, 'failed')
    await insertCost(person, hidden, 0, '1')
    expect((await client.telephony.overview()).lastDay).toMatchObject({ calls: 1, failed: 1 })
    const member = await app.withKey(await app.person(org, { role: 'admin' }))
    const seen = await member.telephony.overview()
    expect(seen).toMatchObject({ activeCalls: [], recentCalls: [], days: [] })
    expect(seen.lastDay).toEqual({ calls: 0, missed: 0, received: 0, sent: 0, failed: 0 })
    expect(seen.numbers).toMatchObject([{ e164: number.e164, projectName: null }])
    const other = await createOwner()
    expect(await other.client.telephony.overview()).toMatchObject({ numbers: [], recentCalls: [] })
  })

  test('lists every problem with its subject', async () => {
    const { org, person, client, projectId, agentId } = await createOwner()
    const colleague = await app.person(org, { role: 'member' })
    const { number, ids } = await insertTelephony(app, person, { projectId, agentId })
    await app.sql`delete from routing_rules where org_id = ${org.id}`
    expect(await client.telephony.overview()).toMatchObject({
      configured: true,
      problems: [
        { kind: 'no_rule', target: number.id, message: expect.stringContaining('calls and text messages') },
      ],
    })
    const match = { channel: 'both' as const }
    const action = { type: 'agent' as const, agentId }
    const rule = await client.routing.create({ name: 'All', match, action })
    expect((await client.telephony.overview()).problems).toEqual([])

    const broken = await insertNumber(app, person, { projectId })
    await app.sql`
      update phone_numbers set status = 'error', status_reason = 'Twilio sends calls to https://x.example', checked_at = now(),
        urls = '{"voice":"https://x.example","sms":null,"status":null}' where id = ${broken.id}`
    await app.sql`update connections set status = 'expired' where id = ${number.connectionId}`
    await app.sql`update phone_numbers set owner_id = ${colleague.id} where id = ${broken.id}`
    await app.sql`delete from workspace_members where user_id = ${colleague.id}`
    await app.sql`update agents set archived_at = now() where org_id = ${org.id} and id = ${agentId}`
    await insertCall(person, projectId, { daysAgo: 0, endReason: 'budget' })
    await insertSms(person, number, 0.1, 'undelivered')
    const { problems } = await client.telephony.overview()
    expect(problems.map(({ kind, target }) => [kind, target])).toEqual([
      ['account', number.id],
      ['number_urls', broken.id],
      ['owner', broken.id],
      ['owner', ids.voiceAgentId],
      ['rule', rule.id],
      ['budget', null],
      ['failed_sms', null],
    ])
    expect(problems.map(({ message }) => message)).toMatchObject([
      expect.stringContaining('has to be authorized again'),
      `${broken.e164}: Twilio sends calls to https://x.example`,
      `The member who imported ${broken.e164} cannot edit its project`,
      expect.stringContaining('is archived'),
      'The rule “All”: The agent is archived or deleted.',
      '1 call in the last day ended because a budget was reached',
      '1 text message in the last day did not reach the recipient',
    ])
  })
})
