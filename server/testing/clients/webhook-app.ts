import { expect } from 'vitest'
import { notifyDispatchers } from '../../events/publish.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { buildTestApp } from '../test-app.ts'

export const LOOPBACK_ALLOWED = { ATRIUM_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' }

/** May deliver to loopback, where it has a fake endpoint. */
export async function buildWebhookApp() {
  const app = await buildTestApp({ env: LOOPBACK_ALLOWED })
  const receiver = await startReceiver()

  async function createOwner() {
    const org = await app.organization()
    const person = await app.person(org, { role: 'owner', name: 'Ada' })
    return { org, person, client: await app.withSession(person) }
  }
  type Client = Awaited<ReturnType<typeof createOwner>>['client']

  return {
    ...app,
    receiver,
    createOwner,
    send: (hook: { receiveUrl: string }, headers: Record<string, string>, body: unknown) =>
      app.request('POST', new URL(hook.receiveUrl).pathname, { headers, body }),
    /** Also wakes the dispatcher. */
    async advanceClock(seconds: number) {
      app.clock.advance(seconds)
      notifyDispatchers(app.sql)
    },
    waitForStatus: (client: Client, eventId: string, status: string) =>
      expect.poll(async () => (await client.webhooks.event({ eventId })).status).toBe(status),
    async close() {
      await app.close()
      await receiver.close()
    },
  }
}

export type WebhookApp = Awaited<ReturnType<typeof buildWebhookApp>>
