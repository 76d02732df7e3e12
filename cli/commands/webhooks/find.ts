import type { OutputOf } from '../../../contract/endpoint.ts'
import { webhooks } from '../../../contract/webhooks.ts'
import { ask, type Connection } from '../../connect.ts'
import { Failure } from '../../failure.ts'

export type Webhook = OutputOf<typeof webhooks.get>

export const listAll = async ({ server, client }: Connection): Promise<Webhook[]> =>
  (await ask(server, webhooks.list, client.webhooks.list())).items

/** By id, or by a name that only one has. */
export async function findWebhook(connection: Connection, which: string): Promise<Webhook> {
  const found = (await listAll(connection)).filter(
    ({ id, name }) => id === which.toLowerCase() || name === which,
  )
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new Failure('usage', `${found.length} webhooks are called ${which}: name one by its id`)
  throw new Failure('failed', `There is no webhook ${which}`, '`atrium webhooks ls` shows those there are.')
}
