import type { Command } from 'commander'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { createWebhook } from './create.ts'
import { showEvents } from './events.ts'
import { listWebhooks } from './list.ts'
import { listen } from './listen.ts'
import { retryEvent } from './retry.ts'
import { testWebhook } from './send-test.ts'

const HELP = `
<webhook> is an id or a name. <event> is the id of the event, of one of its deliveries, or the id its sender gave it.
API keys cannot manage webhooks: create, test and retry open the dashboard and print the outcome.

Examples:
  npx atrium webhooks listen orders --forward http://localhost:4000/hook  forward signed deliveries to a local program
  npx atrium webhooks create orders --url https://example.com/hook --events project.*,file.created
  npx atrium webhooks events orders --status failed                       list failed events of one webhook
  npx atrium webhooks events 0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111         show one event with its deliveries
  npx atrium webhooks events --follow --json | jq .type                   print the type of every new event
`

/** Adds `atrium webhooks`. */
export function addWebhookCommands(program: Command, environment: CliEnvironment): void {
  const webhooks = program
    .command('webhooks')
    .description('List, create, test and listen to webhooks; list and retry events')
    .addHelpText('after', HELP)
    .exitOverride()
  command(webhooks, 'ls', 'List webhooks with their deliveries of the last 24 hours').action((options) =>
    listWebhooks(options, environment),
  )
  command(webhooks, 'events [webhook|event]', 'List events of all webhooks or of one, or show one event')
    .option('--type <type>', 'events of this type or prefix, for example project.*')
    .option('--status <status>', 'events with this status, for example failed')
    .option('--direction <direction>', 'inbound (received) or internal (published by Atrium)')
    .option('--search <id>', 'events with this event, sender or delivery id')
    .option('--limit <count>', 'number of events, 1 to 100')
    .option('--since <time>', 'events from this time on, for example 2027-01-31 or 24h')
    .option('--until <time>', 'events before this time')
    .option('-f, --follow', 'print new events as they arrive')
    .action((ref, options) => showEvents(ref, options, environment))
  command(webhooks, 'listen <webhook>', 'Forward signed deliveries of a webhook to a local program')
    .requiredOption('--forward <url>', 'local URL, for example http://localhost:4000/hook')
    .action((webhook, options) => listen(webhook, options, environment))
  pageCommand(
    webhooks,
    'create [name]',
    'Open the prefilled form for a new webhook, and print the created webhook',
  )
    .option('--url <url>', 'forwarding URL')
    .option('--events <types>', 'event types to forward, for example project.*,file.created; default: all')
    .option('--source <source>', 'sender, for example github')
    .option('--scheme <scheme>', 'required signature, for a source that is not known; default: any')
    .option(
      '--dedup-window <seconds>',
      'ignore repeated bodies for this long, for a source that is not known; default: 600',
    )
    .option('--description <text>', 'description')
    .action((name, options) => createWebhook(name, options, environment))
  pageCommand(webhooks, 'test <webhook>', 'Open the page that sends a test event, and print the outcome')
    .option('--type <type>', 'event type; default: webhook.test')
    .action((webhook, options) => testWebhook(webhook, options, environment))
  pageCommand(
    webhooks,
    'retry <event>',
    'Open the page that retries failed deliveries of an event, and print the outcome',
  ).action((event, options) => retryEvent(event, options, environment))
}

/** Adds a command that opens a page of the dashboard and can wait for its outcome. */
const pageCommand = (webhooks: Command, usage: string, description: string) =>
  command(webhooks, usage, description)
    .option('--no-browser', 'print the URL only')
    .option('--wait', 'wait for the outcome; default in a terminal')
    .option('--no-wait', 'do not wait for the outcome')
