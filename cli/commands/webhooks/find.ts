import type { z } from 'zod'
import { deviceLogin } from '../../../contract/accounts/device-login.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { WebhookEventSummary, WebhookSummary } from '../../../contract/webhooks/webhook-records.ts'
import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import { type Connection, parseResponse } from '../../connect.ts'
import { Failure, ROLE_HINT } from '../../failure.ts'

export type Webhook = OutputOf<typeof webhooks.get>
/** Members without the admin role get only the summary fields. */
export type ListedWebhook = z.output<typeof WebhookSummary> & Partial<Webhook>
export type ListedEvent = z.output<typeof WebhookEventSummary> & Partial<EventWithDeliveries>
export type EventWithDeliveries = OutputOf<typeof webhooks.event>

export const listAll = async ({ server, client }: Connection): Promise<Webhook[]> =>
  (await parseResponse(server, webhooks.list, client.webhooks.list())).items

/** Accepts an id or a unique name. */
export async function findWebhook(connection: Connection, ref: string): Promise<Webhook> {
  const found = await findWebhookOrNull(connection, ref)
  if (found) return found
  throw new Failure('failed', `Webhook ${ref} not found`, 'Run `npx atrium webhooks ls` to list webhooks.')
}

export async function findWebhookOrNull(connection: Connection, ref: string): Promise<Webhook | null> {
  const found = (await listAll(connection)).filter(({ id, name }) => id === ref.toLowerCase() || name === ref)
  if (found.length > 1) throw new Failure('usage', `${found.length} webhooks are named ${ref}: use an id`)
  return found[0] ?? null
}

export async function findEvent(connection: Connection, ref: string): Promise<EventWithDeliveries> {
  const { server, client } = connection
  const search = ref.slice(0, 200)
  const { items } = await parseResponse(server, webhooks.events, client.webhooks.events({ search, limit: 2 }))
  if (items.length === 1) return readEvent(connection, items[0]!.id)
  if (items.length > 1) throw new Failure('usage', `Several events match ${ref}: use the event id`)
  throw new Failure('failed', `Event ${ref} not found`, 'Run `npx atrium webhooks events` to list events.')
}

export const readEvent = ({ server, client }: Connection, eventId: string): Promise<EventWithDeliveries> =>
  parseResponse(server, webhooks.event, client.webhooks.event({ eventId }))

/** Refuses members before opening a browser page that would refuse them. */
export async function requireAdmin({ server, client }: Connection): Promise<void> {
  const { role } = await parseResponse(server, deviceLogin.me, client.deviceLogin.me())
  if (role === 'member') throw new Failure('refused', 'Webhook management requires the admin role', ROLE_HINT)
}
