import type { OutputOf } from '../../../contract/endpoint.ts'
import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import { type Connection, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'

export type Webhook = OutputOf<typeof webhooks.get>
export type EventWithDeliveries = OutputOf<typeof webhooks.event>

export const listAll = async ({ server, client }: Connection): Promise<Webhook[]> =>
  (await parseResponse(server, webhooks.list, client.webhooks.list())).items

/** Finds a webhook by id or by a unique name. */
export async function findWebhook(connection: Connection, which: string): Promise<Webhook> {
  const found = await findIfAny(connection, which)
  if (found) return found
  throw new Failure('failed', `No webhook ${which}`, 'Run `atrium webhooks ls` to list webhooks.')
}

export async function findIfAny(connection: Connection, which: string): Promise<Webhook | null> {
  const found = (await listAll(connection)).filter(
    ({ id, name }) => id === which.toLowerCase() || name === which,
  )
  if (found.length > 1) throw new Failure('usage', `${found.length} webhooks are named ${which}: use an id`)
  return found[0] ?? null
}

/** Finds an event by its id, its sender's id or the id of a delivery. */
export async function findEvent(connection: Connection, which: string): Promise<EventWithDeliveries> {
  const { server, client } = connection
  const search = which.slice(0, 200)
  const { items } = await parseResponse(server, webhooks.events, client.webhooks.events({ search, limit: 2 }))
  if (items.length === 1) return readEvent(connection, items[0]!.id)
  if (items.length > 1) throw new Failure('usage', `Several events match ${which}: use the event id`)
  throw new Failure('failed', `No event ${which}`, 'Run `atrium webhooks events` to list events.')
}

export const readEvent = ({ server, client }: Connection, eventId: string): Promise<EventWithDeliveries> =>
  parseResponse(server, webhooks.event, client.webhooks.event({ eventId }))
