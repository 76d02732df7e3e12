import type { OutputOf } from '../../../contract/endpoint.ts'
import { EVENT_STATUSES, WebhookEvent } from '../../../contract/webhook-records.ts'
import { webhooks } from '../../../contract/webhooks.ts'
import type { Surroundings } from '../../config.ts'
import { ask, type Connection, connect } from '../../connect.ts'
import { follow } from '../../event-stream.ts'
import { Failure } from '../../failure.ts'
import { plain, print, printData, printTable, tell } from '../../terminal.ts'
import { findWebhook } from './find.ts'

interface EventsOptions {
  server?: string
  json?: boolean
  type?: string
  status?: string
  limit?: string
  follow?: boolean
}

type Event = OutputOf<typeof webhooks.events>['items'][number]

export async function listEvents(which: string | undefined, options: EventsOptions, around: Surroundings) {
  const connection = await connect(options.server, around)
  const { server, client } = connection
  const id = which === undefined ? undefined : (await findWebhook(connection, which)).id
  if (options.follow) return followEvents(connection, id, options)
  const filters = { type: options.type, status: statusOf(options.status), limit: limitOf(options.limit) }
  const { items } =
    id === undefined
      ? await ask(server, webhooks.events, client.webhooks.events(filters))
      : await ask(server, webhooks.eventsOf, client.webhooks.eventsOf({ id, ...filters }))
  if (options.json) return printData({ items })
  if (items.length === 0) return tell('There are no such events')
  printTable([['ID', 'WHEN', 'TYPE', 'STATUS', 'FROM'], ...items.map(rowOf)])
}

/** One line for each as it happens, until interrupted. */
async function followEvents(connection: Connection, id: string | undefined, { json }: EventsOptions) {
  const path = `/api/v1/webhooks/events/live${id === undefined ? '' : `?webhookId=${id}`}`
  tell('Waiting for events; Ctrl-C ends')
  for await (const { name, data } of follow(connection, path, () => {})) {
    if (name !== 'event') continue
    const event = WebhookEvent.parse(JSON.parse(data))
    print(json ? JSON.stringify(event) : rowOf(event).join('  '))
  }
}

const rowOf = ({ id, receivedAt, type, status, source, webhookName }: Event): string[] => [
  id,
  `${receivedAt.slice(0, 10)} ${receivedAt.slice(11, 19)}Z`,
  plain(type),
  status,
  plain(webhookName ?? source),
]

function statusOf(given: string | undefined) {
  const known = EVENT_STATUSES.find((status) => status === given)
  if (given !== undefined && !known)
    throw new Failure('usage', `A status is ${EVENT_STATUSES.join(', ')}, not ${given}`)
  return known
}

function limitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= 100) return Number(given)
  throw new Failure('usage', `--limit is 1 to 100, not ${given}`)
}
