import type { OutputOf } from '../../../contract/endpoint.ts'
import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import { ask, type Connection } from '../../connect.ts'
import { Failure } from '../../failure.ts'

export type Webhook = OutputOf<typeof webhooks.get>
export type Story = OutputOf<typeof webhooks.event>

export const listAll = async ({ server, client }: Connection): Promise<Webhook[]> =>
  (await ask(server, webhooks.list, client.webhooks.list())).items

/** By id, or by a name that only one has. */
export async function findWebhook(connection: Connection, which: string): Promise<Webhook> {
  const found = await findIfAny(connection, which)
  if (found) return found
  throw new Failure('failed', `There is no webhook ${which}`, '`atrium webhooks ls` shows those there are.')
}

export async function findIfAny(connection: Connection, which: string): Promise<Webhook | null> {
  const found = (await listAll(connection)).filter(
    ({ id, name }) => id === which.toLowerCase() || name === which,
  )
  if (found.length > 1)
    throw new Failure('usage', `${found.length} webhooks are called ${which}: name one by its id`)
  return found[0] ?? null
}

/** By any of its ids: its own, that of its sender, that of a delivery. */
export async function findEvent(connection: Connection, which: string): Promise<Story> {
  const { server, client } = connection
  const search = which.slice(0, 200)
  const { items } = await ask(server, webhooks.events, client.webhooks.events({ search, limit: 2 }))
  if (items.length === 1) return readEvent(connection, items[0]!.id)
  if (items.length > 1)
    throw new Failure('usage', `Several events are called ${which}: name one by its own id`)
  throw new Failure('failed', `There is no event ${which}`, '`atrium webhooks events` shows those there are.')
}

export const readEvent = ({ server, client }: Connection, eventId: string): Promise<Story> =>
  ask(server, webhooks.event, client.webhooks.event({ eventId }))
