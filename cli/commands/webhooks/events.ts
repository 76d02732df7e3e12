import {
  EVENT_STATUSES,
  WebhookEvent,
  WebhookEventSummary,
} from '../../../contract/webhooks/webhook-records.ts'
import { webhooks } from '../../../contract/webhooks/webhooks.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { follow, reportConnection } from '../../event-stream.ts'
import { Failure } from '../../failure.ts'
import { parseChoice, parseTime } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize, style } from '../../terminal.ts'
import { type EventWithDeliveries, findEvent, findWebhookOrNull, type ListedEvent } from './find.ts'

interface EventsOptions {
  server?: string
  json?: boolean
  type?: string
  status?: string
  direction?: string
  search?: string
  limit?: string
  since?: string
  until?: string
  follow?: boolean
}

const StreamedEvent = WebhookEvent.or(WebhookEventSummary)
const DIRECTIONS = ['inbound', 'internal'] as const

export async function showEvents(
  ref: string | undefined,
  options: EventsOptions,
  environment: CliEnvironment,
) {
  const filters = filtersOf(options)
  const connection = await connect(options.server, environment)
  const webhook = ref === undefined ? null : await findWebhookOrNull(connection, ref)
  if (ref !== undefined && !webhook) return showEvent(connection, ref, options)
  if (options.follow) return followEvents(connection, webhook?.id, filters, options)
  const { server, client } = connection
  const { items } = webhook
    ? await parseResponse(server, webhooks.eventsOf, client.webhooks.eventsOf({ id: webhook.id, ...filters }))
    : await parseResponse(server, webhooks.events, client.webhooks.events(filters))
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No events match')
  printTable([['ID', 'WHEN', 'TYPE', 'FROM', 'STATUS'], ...items.map(rowOf)])
}

async function showEvent(connection: Connection, ref: string, { json }: EventsOptions): Promise<void> {
  const event = await findEvent(connection, ref).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind !== 'failed') throw error
    throw new Failure('failed', `Webhook or event ${ref} not found`, error.hint)
  })
  if (json) printData(event)
  else printEventDetails(event)
}

async function followEvents(
  connection: Connection,
  id: string | undefined,
  filters: ReturnType<typeof filtersOf>,
  { json }: EventsOptions,
): Promise<void> {
  const path = `/api/v1/webhooks/events/live${id === undefined ? '' : `?webhookId=${id}`}`
  for await (const { name, data } of follow(
    connection,
    path,
    reportConnection({ greeting: 'Waiting for events (Ctrl+C to cancel)' }),
  )) {
    if (name !== 'event') continue
    const event = StreamedEvent.parse(JSON.parse(data))
    if (!matches(event, filters)) continue
    print(json ? JSON.stringify(event) : rowOf(event).join('  '))
  }
}

function matches({ type, status, direction }: ListedEvent, filters: ReturnType<typeof filtersOf>): boolean {
  const pattern = filters.type?.toLowerCase()
  const isOfType = pattern?.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
  return (
    (pattern === undefined || isOfType) &&
    (filters.status ?? status) === status &&
    (filters.direction ?? direction) === direction
  )
}

const rowOf = ({ id, receivedAt, type, status, source, webhookName }: ListedEvent): string[] => [
  id,
  timeOf(receivedAt),
  sanitize(type),
  sanitize(webhookName ?? source),
  statusLabel(status),
]

function filtersOf({ type, status, direction, search, limit, since, until, follow }: EventsOptions) {
  if (follow && [search, limit, since, until].some((option) => option !== undefined))
    throw new Failure('usage', '--follow cannot be combined with --search, --limit, --since or --until')
  return {
    type,
    search,
    status: parseChoice('status', EVENT_STATUSES, status),
    direction: parseChoice('direction', DIRECTIONS, direction),
    limit: limitOf(limit),
    from: since === undefined ? undefined : parseTime('--since', since),
    to: until === undefined ? undefined : parseTime('--until', until),
  }
}

function limitOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 100) return Number(value)
  throw new Failure('usage', `Invalid --limit ${value}: use 1 to 100`)
}

type Delivery = EventWithDeliveries['deliveries'][number]

const COLORS = {
  received: 'cyan',
  pending: 'cyan',
  retrying: 'yellow',
  held: 'yellow',
  delivered: 'green',
  succeeded: 'green',
  failed: 'red',
  rejected: 'red',
  filtered: 'dim',
  canceled: 'dim',
} as const

const statusLabel = (status: keyof typeof COLORS) => style(COLORS[status], status, process.stdout)

const timeOf = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}Z`

/** Prints verification and delivery attempts if the caller's role allows it. */
export function printEventDetails(event: ListedEvent): void {
  const { id, type, status, receivedAt, externalId, payload, deliveries, repetitions } = event
  print(`${style('bold', sanitize(type), process.stdout)}  ${statusLabel(status)}`)
  print(`  id           ${id}`)
  print(`  received     ${timeOf(receivedAt)}`)
  print(`  from         ${sanitize(fromOf(event))}`)
  if (!deliveries) {
    printMessage('Only admins and owners can see the payload and deliveries.')
    return
  }
  if (externalId) print(`  external id  ${sanitize(externalId)}`)
  if (repetitions && repetitions.count > 0) {
    const last = timeOf(repetitions.times.at(-1)!)
    print(
      `  repeated     ${repetitions.count === 1 ? `at ${last}` : `${repetitions.count} times, last at ${last}`}`,
    )
  }
  print(`  payload      ${sanitize(JSON.stringify(payload))}`)
  for (const delivery of deliveries) printDelivery(delivery)
}

function fromOf({ direction, source, webhookName, verification }: ListedEvent): string {
  if (direction === 'internal') return 'Atrium'
  const receiver = `${source}, received by ${webhookName ?? 'a deleted webhook'}`
  if (verification === undefined) return receiver
  const verificationLabel =
    verification?.result === 'valid'
      ? `verified by ${verification.scheme}`
      : (verification?.reason ?? 'not verified')
  return `${receiver}, ${verificationLabel}`
}

export function printDelivery({ webhookName, url, status, attempts, nextAttemptAt }: Delivery): void {
  print(`→ ${sanitize(webhookName)}  ${sanitize(url)}  ${statusLabel(status)}`)
  for (const { attempt, startedAt, durationMs, response, error } of attempts) {
    const outcome = response ? `${response.status}` : (error ?? '')
    print(`  ${attempt}.  ${timeOf(startedAt)}  ${sanitize(outcome)}  ${durationMs} ms`)
  }
  if (status === 'retrying' && nextAttemptAt) print(`  next attempt at ${timeOf(nextAttemptAt)}`)
}

/** Attempted, with an outcome or a scheduled retry. */
export const isSettled = ({ status, attempts }: Delivery) => status !== 'pending' && attempts.length > 0
