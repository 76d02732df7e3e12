import type { Command } from 'commander'
import { command } from '../../command.ts'
import type { Surroundings } from '../../config.ts'
import { createWebhook } from './create.ts'
import { showEvents } from './events.ts'
import { listWebhooks } from './list.ts'
import { listen } from './listen.ts'
import { retryEvent } from './retry.ts'
import { testWebhook } from './send-test.ts'

const HELP = `
Webhooks are named by their id or by their name, events by any of their ids. What changes a webhook is done in the
browser, where you can prove who you are: create, test and retry open the page for it, and show what became of it.

Examples:
  atrium webhooks listen orders --forward http://localhost:4000/hook    what it sends comes to your own program, signed
  atrium webhooks create orders --url https://example.com/hook --events project.*,file.created
  atrium webhooks events orders --status failed
  atrium webhooks events 0198f3a2-7c1e-7d44-9b1a-2f6c1de0a111           its whole story
  atrium webhooks events --follow --json | jq .type
`

/** The commands for webhooks, as `atrium webhooks`. */
export function addWebhookCommands(program: Command, around: Surroundings): void {
  const webhooks = program
    .command('webhooks')
    .description('Webhooks, and what passes through them')
    .addHelpText('after', HELP)
    .exitOverride()
  command(webhooks, 'ls', 'List webhooks, with their health').action((options) =>
    listWebhooks(options, around),
  )
  command(webhooks, 'events [which]', 'List events, of one webhook or of all; or show one event')
    .option('--type <type>', 'only of this type; project.* takes all that begin so')
    .option('--status <status>', 'only with this status, such as failed')
    .option('--direction <direction>', 'inbound, what others sent; or internal, what happened here')
    .option('--search <id>', 'with this id: of the event, of its sender, or of a delivery')
    .option('--limit <count>', 'how many, 1 to 100')
    .option('-f, --follow', 'show them as they happen')
    .action((which, options) => showEvents(which, options, around))
  command(webhooks, 'listen <webhook>', 'Forward what a webhook sends to a program on this machine, signed')
    .requiredOption('--forward <url>', 'where to, such as http://localhost:4000/hook')
    .action((webhook, options) => listen(webhook, options, around))
  onPage(webhooks, 'create [name]', 'Create a webhook on its page, filled in as said here')
    .option('--url <url>', 'where it forwards to')
    .option('--events <types>', 'which events it forwards, such as project.*,file.created; all without')
    .option('--source <source>', 'who sends to it, such as github')
    .option('--description <text>', 'what it is for')
    .action((name, options) => createWebhook(name, options, around))
  onPage(webhooks, 'test <webhook>', 'Send a test event on its page, and see what became of it')
    .option('--type <type>', 'of this type instead of webhook.test')
    .action((webhook, options) => testWebhook(webhook, options, around))
  onPage(
    webhooks,
    'retry <event>',
    'Retry what failed of an event on its page, and see what became of it',
  ).action((event, options) => retryEvent(event, options, around))
}

const onPage = (webhooks: Command, usage: string, description: string) =>
  command(webhooks, usage, description)
    .option('--no-browser', 'only print the address of the page')
    .option('--no-wait', 'do not wait for it to be done')
