import type { Command } from 'commander'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { createWebhook } from './create.ts'
import { retryEvent, testWebhook } from './deliver.ts'
import { showEvents } from './events.ts'
import { type ListedWebhook, listAll, type Webhook } from './find.ts'
import { listen } from './listen.ts'

const HELP = `
<webhook> is an id or a name. <event> is an event id, a delivery id, or the id assigned by the sender.
API keys can’t manage webhooks: create, test and retry open the dashboard and print the outcome.

Examples:
  npx atrium webhooks listen orders --forward http://localhost:4000/hook  forward signed deliveries to a local program
  npx atrium webhooks create orders --url https://example.com/hook --events project.*,file.created
  npx atrium webhooks events orders --status failed                       list one webhook’s failed events
  npx atrium webhooks events 0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111         show one event with its deliveries
  npx atrium webhooks events --follow --json | jq .type                   print the type of every new event
`

export function addWebhookCommands(program: Command, environment: CliEnvironment): void {
  const webhooks = program
    .command('webhooks')
    .description('List, create, test and listen to webhooks; list and retry events')
    .addHelpText('after', HELP)
    .exitOverride()
  command(webhooks, 'ls', 'List webhooks with their deliveries in the last 24 hours').action((options) =>
    listWebhooks(options, environment),
  )
  command(webhooks, 'events [webhook|event]', 'List events from all webhooks or one, or show one event')
    .option('--type <type>', 'only events with this type or prefix, for example project.*')
    .option('--status <status>', 'only events with this status, for example failed')
    .option('--direction <direction>', 'inbound (received) or internal (published by Atrium)')
    .option('--search <id>', 'only events with this event, sender or delivery id')
    .option('--limit <count>', 'number of events, 1 to 100')
    .option('--since <time>', 'only events since this time, for example 2027-01-31 or 24h')
    .option('--until <time>', 'only events before this time')
    .option('-f, --follow', 'print new events as they arrive')
    .action((ref, options) => showEvents(ref, options, environment))
  command(webhooks, 'listen <webhook>', 'Forward a webhook’s signed deliveries to a local program')
    .requiredOption('--forward <url>', 'local URL, for example http://localhost:4000/hook')
    .action((webhook, options) => listen(webhook, options, environment))
  pageCommand(webhooks, 'create [name]', 'Open the prefilled form for a new webhook, then print the webhook')
    .option('--url <url>', 'forwarding URL')
    .option('--events <types>', 'event types to forward, for example project.*,file.created; default: all')
    .option('--source <source>', 'sender, for example github')
    .option('--scheme <scheme>', 'required signature if the source is unknown; default: any')
    .option(
      '--dedup-window <seconds>',
      'seconds during which repeated bodies are ignored if the source is unknown; default: 600',
    )
    .option('--description <text>', 'description')
    .action((name, options) => createWebhook(name, options, environment))
  pageCommand(webhooks, 'test <webhook>', 'Open the page that sends a test event, then print the outcome')
    .option('--type <type>', 'event type; default: webhook.test')
    .action((webhook, options) => testWebhook(webhook, options, environment))
  pageCommand(
    webhooks,
    'retry <event>',
    'Open the page that retries an event’s failed deliveries, then print the outcome',
  ).action((event, options) => retryEvent(event, options, environment))
}

const pageCommand = (webhooks: Command, usage: string, description: string) =>
  command(webhooks, usage, description)
    .option('--no-browser', 'print the URL only')
    .option('--wait', 'wait for the outcome (default in a terminal)')
    .option('--no-wait', 'don’t wait for the outcome')

interface ListOptions {
  server?: string
  json?: boolean
}

async function listWebhooks(options: ListOptions, environment: CliEnvironment): Promise<void> {
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
  printMessage('Only admins and owners can see URLs and deliveries.')
}

const rowOf = ({ id, name, status, pausedReason, health, forwards, url }: Webhook): string[] => [
  id,
  sanitize(name),
  pausedReason ? `${status} (${pausedReason})` : status,
  healthOf(health),
  forwards ? sanitize(url) : '-',
]

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

/** Counts failures by attempt, since a delivery may fail several times before it succeeds. */
function healthOf({ succeeded, failed }: Webhook['health']): string {
  const [succeededCount, failedCount] = [sum(succeeded), sum(failed)]
  if (succeededCount + failedCount === 0) return 'no deliveries'
  return failedCount === 0
    ? `${succeededCount} delivered`
    : `${succeededCount} delivered, failed attempts: ${failedCount}`
}
