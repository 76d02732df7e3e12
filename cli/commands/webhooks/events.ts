import type { OutputOf } from '../../../contract/endpoint.ts'
import { EVENT_STATUSES, WebhookEvent } from '../../../contract/webhooks/webhook-records.ts'
import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { Surroundings } from '../../config.ts'
import { ask, type Connection, connect } from '../../connect.ts'
import { follow } from '../../event-stream.ts'
import { Failure } from '../../failure.ts'
import { plain, print, printData, printTable, tell } from '../../terminal.ts'
import { printStory, statusWord, timeOf } from './event-details.ts'
import { findEvent, findIfAny } from './find.ts'
import { onStateOf } from './stream-state.ts'

interface EventsOptions {
  server?: string
  json?: boolean
  type?: string
  status?: string
  direction?: string
  search?: string
  limit?: string
  follow?: boolean
}

type Event = OutputOf<typeof webhooks.events>['items'][number]
const DIRECTIONS = ['inbound', 'internal'] as const

/** Of all, of one webhook, or of one event its story. */
export async function showEvents(which: string | undefined, options: EventsOptions, around: Surroundings) {
  const filters = filtersOf(options)
  const connection = await connect(options.server, around)
  const webhook = which === undefined ? null : await findIfAny(connection, which)
  if (which !== undefined && !webhook) return showStory(connection, which, options)
  if (options.follow) return followEvents(connection, webhook?.id, filters, options)
  const { server, client } = connection
  const { items } = webhook
    ? await ask(server, webhooks.eventsOf, client.webhooks.eventsOf({ id: webhook.id, ...filters }))
    : await ask(server, webhooks.events, client.webhooks.events(filters))
  if (options.json) return printData({ items })
  if (items.length === 0) return tell('There are no such events')
  printTable([['ID', 'WHEN', 'TYPE', 'FROM', 'STATUS'], ...items.map(rowOf)])
}

async function showStory(connection: Connection, which: string, { json }: EventsOptions): Promise<void> {
  const event = await findEvent(connection, which).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind !== 'failed') throw error
    throw new Failure('failed', `There is no webhook or event ${which}`, error.advice)
  })
  if (json) printData(event)
  else printStory(event)
}

/** One line for each as it happens, until interrupted. */
async function followEvents(
  connection: Connection,
  id: string | undefined,
  filters: ReturnType<typeof filtersOf>,
  { json }: EventsOptions,
): Promise<void> {
  const path = `/api/v1/webhooks/events/live${id === undefined ? '' : `?webhookId=${id}`}`
  for await (const { name, data } of follow(connection, path, onStateOf('Waiting for events; Ctrl-C ends'))) {
    if (name !== 'event') continue
    const event = WebhookEvent.parse(JSON.parse(data))
    if (!isWanted(event, filters)) continue
    print(json ? JSON.stringify(event) : rowOf(event).join('  '))
  }
}

function isWanted({ type, status, direction }: Event, wanted: ReturnType<typeof filtersOf>): boolean {
  const asked = wanted.type?.toLowerCase()
  const isOfType = asked?.endsWith('*') ? type.startsWith(asked.slice(0, -1)) : type === asked
  return (
    (asked === undefined || isOfType) &&
    (wanted.status ?? status) === status &&
    (wanted.direction ?? direction) === direction
  )
}

const rowOf = ({ id, receivedAt, type, status, source, webhookName }: Event): string[] => [
  id,
  timeOf(receivedAt),
  plain(type),
  plain(webhookName ?? source),
  statusWord(status),
]

function filtersOf({ type, status, direction, search, limit, follow }: EventsOptions) {
  if (follow && (search !== undefined || limit !== undefined))
    throw new Failure('usage', '--follow shows what is to come: --search and --limit are for what was')
  return {
    type,
    search,
    status: oneOf('A status', EVENT_STATUSES, status),
    direction: oneOf('A direction', DIRECTIONS, direction),
    limit: limitOf(limit),
  }
}

function oneOf<T extends string>(what: string, known: readonly T[], given: string | undefined) {
  const found = known.find((one) => one === given)
  if (given !== undefined && !found)
    throw new Failure('usage', `${what} is ${known.join(', ')}, not ${given}`)
  return found
}

function limitOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= 100) return Number(given)
  throw new Failure('usage', `--limit is 1 to 100, not ${given}`)
}
