import { expect } from 'vitest'
import { DELIVERIES_CHANNEL } from '../../events/publish.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { buildTestApp } from '../test-app.ts'

export const LOOPBACK_ALLOWED = { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }

/** A server that may reach this machine, somebody else's server on it, and what tests of webhooks do with them. */
export async function buildHooksApp() {
  const app = await buildTestApp({ env: LOOPBACK_ALLOWED })
  const receiver = await startReceiver()

  async function owner() {
    const org = await app.organization()
    const person = await app.person(org, { role: 'owner', name: 'Ada' })
    return { org, person, client: await app.inBrowser(person) }
  }
  type Client = Awaited<ReturnType<typeof owner>>['client']

  return {
    ...app,
    receiver,
    owner,
    /** Sends to a webhook as a third party would. */
    send: (hook: { receiveUrl: string }, headers: Record<string, string>, body: unknown) =>
      app.request('POST', new URL(hook.receiveUrl).pathname, { headers, body }),
    /** So many seconds pass, and whoever delivers looks at the clock. */
    async later(seconds: number) {
      app.clock.advance(seconds)
      await app.sql`select pg_notify(${DELIVERIES_CHANNEL}, '')`
    },
    /** Waits until an event has this status. */
    becomes: (client: Client, eventId: string, status: string) =>
      expect.poll(async () => (await client.webhooks.event({ eventId })).status).toBe(status),
    async close() {
      await app.close()
      await receiver.close()
    },
  }
}

export type HooksApp = Awaited<ReturnType<typeof buildHooksApp>>
