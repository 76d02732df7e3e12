import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueToken } from '../../../one-time-tokens/one-time-tokens.ts'
import { newId } from '../../../security/ids.ts'
import { buildTestApp, type TestApp } from '../../../testing/test-app.ts'
import { createSetupToken } from '../../accounts/accounts/accounts.ts'
import { sweepEvents } from '../../webhooks/webhooks.ts'
import { operationSchedules } from './retention.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
  await app.app.startWorker()
})
afterAll(() => app.close())

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

async function sweep() {
  await app.app.system().enqueue(operationSchedules[0]!.job, {})
  await expect.poll(() => app.sql`select from graphile_worker.jobs`).toHaveLength(0)
}

const countOf = async (table: string) => (await app.sql`select from ${app.sql(table)}`).length

test('deletes rows when their retention period ends, not before', async () => {
  await createSetupToken(app.app.system())
  await app.operator()
  const { org, person, client } = await app.newUser()
  await app.sql`
    insert into invites (org_id, id, email, role, token_hash, invited_by, created_at, expires_at, is_mailed)
    values (${org.id}, ${newId()}, 'ada@example.com', 'member', 'hash', ${person.id}, now(), now() + interval '7 days',
      true)`
  await issueToken(app.app.system(), 'sign-up', { seconds: DAY_S, data: {} })
  await client.feedback.submit({ message: 'm' }, { idempotencyKey: 'once' })
  await app.as({}).deviceLogin.start({})
  const rowCounts = async () => ({
    device_logins: await countOf('device_logins'),
    setup_links: await countOf('setup_links'),
    idempotent_answers: await countOf('idempotent_answers'),
    rate_limits: await countOf('rate_limits'),
    one_time_tokens: await countOf('one_time_tokens'),
    sessions: await countOf('sessions'),
    mails: await countOf('mails'),
    invites: await countOf('invites'),
  })
  const initial = {
    setup_links: 1,
    idempotent_answers: 1,
    rate_limits: 3,
    one_time_tokens: 1,
    sessions: 1,
    mails: 1,
    invites: 1,
  }

  app.clock.advance(HOUR_S)
  await sweep()
  expect(await rowCounts()).toEqual({ ...initial, device_logins: 1 })

  const withoutLogins = { ...initial, device_logins: 0 }
  app.clock.advance(DAY_S - 2 * HOUR_S)
  await sweep()
  expect(await rowCounts()).toEqual(withoutLogins)

  app.clock.advance(2 * HOUR_S)
  await sweep()
  const afterADay = {
    ...withoutLogins,
    setup_links: 0,
    idempotent_answers: 0,
    rate_limits: 0,
    one_time_tokens: 0,
  }
  expect(await rowCounts()).toEqual(afterADay)

  app.clock.advance(6 * DAY_S)
  await sweep()
  expect(await rowCounts()).toEqual({ ...afterADay, sessions: 0, invites: 0 })

  app.clock.advance(24 * DAY_S)
  await sweep()
  expect(await rowCounts()).toEqual({ ...afterADay, sessions: 0, invites: 0, mails: 0 })
})

test('stores events for 30 days or until delivered, and deduplication ids for a week', async () => {
  const org = await app.organization()
  const person = await app.person(org, { role: 'owner' })
  const client = await app.withSession(person)
  const hook = await client.webhooks.create({ name: 'In' })
  const path = new URL(hook.receiveUrl).pathname
  const send = (id: string) =>
    app.request('POST', path, { headers: { 'x-webhook-secret': hook.secret }, body: { id } })
  const held = await client.webhooks.create({ name: 'Held', url: 'https://example.com/', events: ['key.*'] })
  await client.webhooks.update({ id: held.id, status: 'paused' })
  for (let n = 0; n < 5; n++) await send(`old-${n}`)
  await client.apiKeys.create({ name: 'Held for a paused webhook' })
  app.clock.advance(8 * DAY_S)
  await send('new')
  const countInOrg = async (table: 'events' | 'webhook_seen' | 'deliveries') =>
    (await app.sql`select from ${app.sql(table)} where org_id = ${org.id}`).length

  await sweep()
  expect([await countInOrg('events'), await countInOrg('webhook_seen')]).toEqual([7, 1])

  app.clock.advance(23 * DAY_S)
  // Deletes in batches of two until no expired event is left.
  await sweepEvents(app.sql, app.clock.now(), 2)
  expect([await countInOrg('events'), await countInOrg('deliveries')]).toEqual([2, 1])
})
