import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { type ListedWebhook, listAll, type Webhook } from './find.ts'

interface ListOptions {
  server?: string
  json?: boolean
}

export async function listWebhooks(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const items = await listAll(connection)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage(`No webhooks. Create one: ${connection.server}/webhooks/new`)
  if (items.some(isReduced)) return printSummaries(items)
  printTable([['ID', 'NAME', 'STATUS', 'LAST 24 HOURS', 'FORWARDS TO'], ...items.map(rowOf)])
}

const isReduced = ({ receiveUrl }: ListedWebhook) => receiveUrl === undefined

function printSummaries(items: ListedWebhook[]): void {
  const row = ({ id, name, source, status }: ListedWebhook) => [id, sanitize(name), sanitize(source), status]
  printTable([['ID', 'NAME', 'SOURCE', 'STATUS'], ...items.map(row)])
  printMessage('URLs and deliveries are visible to admins and owners.')
}

const rowOf = ({ id, name, status, pausedReason, health, forwards, url }: Webhook): string[] => [
  id,
  sanitize(name),
  pausedReason ? `${status} (${pausedReason})` : status,
  healthOf(health),
  forwards ? sanitize(url) : '-',
]

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

/** A delivery may fail several times before it succeeds, so failures are counted by attempt. */
function healthOf({ succeeded, failed }: Webhook['health']): string {
  const [succeededCount, failedCount] = [sum(succeeded), sum(failed)]
  if (succeededCount + failedCount === 0) return 'no deliveries'
  return failedCount === 0
    ? `${succeededCount} delivered`
    : `${succeededCount} delivered, failed attempts: ${failedCount}`
}
