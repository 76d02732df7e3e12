import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  buildEndpointApp,
  type EndpointApp,
  telegramEndpoint,
  telegramUpdate,
} from '../../../testing/clients/endpoint-app.ts'

let app: EndpointApp
beforeAll(async () => {
  app = await buildEndpointApp()
  await app.app.startWorker()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.answerWith()
  await app.sql`delete from rate_limits`
})

describe('an endpoint whose owner', () => {
  test("has left is paused and keeps its events, and the organization's owners are notified", async () => {
    const { org, endpoint, send, person } = await telegramEndpoint(app, { reply: 'off' })
    const admin = await app.person(org, { role: 'owner', verified: true, language: 'de' })
    await app.sql`delete from memberships where org_id = ${org.id} and user_id = ${person.id}`
    await app.sql`update connections set user_id = ${admin.id} where org_id = ${org.id}`
    expect((await send(telegramUpdate(1, 'hello'))).status).toBe(200)
    const client = await app.withSession(admin)
    const current = () => client.connectorEndpoints.get({ id: endpoint.id })
    await expect.poll(async () => (await current()).status, { timeout: 20_000 }).toBe('paused')
    expect(await current()).toMatchObject({ pausedReason: 'owner_left', held: 'endpoint' })
    const { items } = await client.connectorEndpoints.events({ id: endpoint.id })
    expect(items).toMatchObject([{ status: 'held', runId: null }])
    await expect
      .poll(() => app.sql`select subject from mails where recipient = ${admin.email}`)
      .toEqual([{ subject: expect.stringMatching(/^Der Endpunkt „.*“ ist pausiert$/) }])
  })
})

describe('a failed event', () => {
  test('is handled again once, by the owner, not by a member who can only see it', async () => {
    const { org, endpoint, client, send, waitForEvents, events } = await telegramEndpoint(app, {
      reply: 'off',
    })
    await send(telegramUpdate(1, 'hello'))
    await waitForEvents(1)
    const [event] = await events()
    const retry = { id: endpoint.id, eventId: event!.id }
    await expect(client.connectorEndpoints.retryEvent(retry)).rejects.toThrow('Only an event that failed')
    await app.sql`
      update connector_events set status = 'failed', error = 'The agent is archived'
      where org_id = ${org.id} and id = ${event!.id}`
    const other = await app.withSession(await app.person(org))
    await expect(other.connectorEndpoints.retryEvent(retry)).rejects.toThrow('owner')
    await client.connectorEndpoints.retryEvent(retry)
    await waitForEvents(1)
    expect((await events()).map(({ status, error }) => [status, error])).toEqual([['succeeded', null]])
    await expect(client.connectorEndpoints.retryEvent(retry)).rejects.toThrow('Only an event that failed')
  })
})
