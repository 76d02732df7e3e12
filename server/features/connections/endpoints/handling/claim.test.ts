import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertTenant, insertTestEndpoint } from '../../../../testing/clients/endpoint-app.ts'
import { buildTestApp, type TestApp } from '../../../../testing/test-app.ts'
import { claimThreads } from './claim-queries.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

const LIMIT = 16
const PER_ORGANIZATION = 8

const claim = (running: { orgId: string; count: number }[] = []) =>
  claimThreads(app.sql, {
    running,
    perOrganization: PER_ORGANIZATION,
    limit: LIMIT,
    now: new Date(),
    leasedUntil: new Date(Date.now() + 60_000),
  })

/** Sends messages of several chats. No worker runs. */
async function send(endpoint: { path: string }, chats: number) {
  for (let chat = 1; chat <= chats; chat++) {
    const message = { message_id: chat, from: { id: 1 }, chat: { id: chat }, text: 'hi' }
    const { status } = await app.request('POST', endpoint.path, {
      headers: { 'x-telegram-bot-api-secret-token': 'token' },
      body: { update_id: chat, message },
    })
    expect(status).toBe(200)
  }
}

test('an organization with few events gets its turn in the first claim next to a busy one', async () => {
  const busy = await insertTestEndpoint(app, await insertTenant(app), 'telegram', 'token')
  const other = await insertTestEndpoint(app, await insertTenant(app), 'telegram', 'token')
  await send(busy, 30)
  await send(other, 1)
  const first = await claim()
  const count = (orgId: string) => first.filter((thread) => thread.orgId === orgId).length
  expect([count(busy.orgId), count(other.orgId)]).toEqual([PER_ORGANIZATION, 1])
  // The share of the busy organization is used up; events that it has claimed are not claimed twice.
  expect(await claim([{ orgId: busy.orgId, count: PER_ORGANIZATION }])).toEqual([])
  const next = await claim()
  expect(next).toHaveLength(PER_ORGANIZATION)
  expect(next.some(({ thread }) => first.some((other) => other.thread === thread))).toBe(false)
})

test.each([
  ['connection', (id: string) => app.sql`update connections set status = 'expired' where id = ${id}`],
  [
    'agent',
    (_: string, agentId: string) => app.sql`update agents set archived_at = now() where id = ${agentId}`,
  ],
])('events are claimed only while the %s works', async (_what, stop) => {
  const endpoint = await insertTestEndpoint(app, await insertTenant(app), 'telegram', 'token')
  await send(endpoint, 2)
  await stop(endpoint.connectionId, endpoint.agentId)
  expect((await claim()).filter(({ endpointId }) => endpointId === endpoint.id)).toEqual([])
  await app.sql`update connections set status = 'active' where id = ${endpoint.connectionId}`
  await app.sql`update agents set archived_at = null where id = ${endpoint.agentId}`
  const claimed = (await claim()).filter(({ endpointId }) => endpointId === endpoint.id)
  expect(claimed.map(({ thread }) => thread)).toEqual(['telegram:1', 'telegram:2'])
})
