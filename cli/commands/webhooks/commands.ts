import type { Command } from 'commander'
import { command } from '../../command.ts'
import type { Surroundings } from '../../config.ts'
import { connect } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { listEvents } from './events.ts'
import { findWebhook } from './find.ts'
import { listWebhooks } from './list.ts'
import { listen } from './listen.ts'

const EXAMPLES = `
Examples:
  atrium webhooks listen orders --forward http://localhost:4000/hook
  atrium webhooks events orders --status failed
  atrium webhooks events --follow --json | jq .type
`

export function addWebhookCommands(program: Command, around: Surroundings): void {
  const webhooks = program
    .command('webhooks')
    .description('Webhooks, and what passes through them')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
  command(webhooks, 'ls', 'List webhooks, with their health').action((options) =>
    listWebhooks(options, around),
  )
  command(webhooks, 'events [webhook]', 'List events, of one webhook or of all')
    .option('--type <type>', 'only of this type; project.* takes all that begin so')
    .option('--status <status>', 'only with this status')
    .option('--limit <count>', 'how many, 1 to 100')
    .option('-f, --follow', 'go on showing them as they happen')
    .action((webhook, options) => listEvents(webhook, options, around))
  command(webhooks, 'listen <webhook>', 'Forward what a webhook sends to a program on this machine, signed')
    .requiredOption('--forward <url>', 'where to, such as http://localhost:4000/hook')
    .action((webhook, options) => listen(webhook, options, around))
  command(webhooks, 'create', 'Show where to create a webhook').action((options) =>
    inBrowser('Creating a webhook', 'webhooks/new', options, around),
  )
  command(webhooks, 'test <webhook>', 'Show where to send a test').action(async (webhook, options) =>
    inBrowser('Sending a test', `webhooks/${await idOf(webhook, options, around)}`, options, around),
  )
  command(webhooks, 'retry <event>', 'Show where to retry what failed of an event').action((event, options) =>
    inBrowser('Retrying', `webhooks/events/${encodeURIComponent(event)}`, options, around),
  )
}

interface Options {
  server?: string
}

const idOf = async (webhook: string, options: Options, around: Surroundings) =>
  (await findWebhook(await connect(options.server, around), webhook)).id

/** A key cannot manage webhooks, so that one that leaks cannot have everything sent elsewhere. */
async function inBrowser(act: string, path: string, options: Options, around: Surroundings): Promise<never> {
  const { server } = await connect(options.server, around)
  throw new Failure(
    'refused',
    `${act} needs the browser, where you can prove who you are`,
    `${server}/${path}`,
  )
}
