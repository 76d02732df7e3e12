import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connectAccount } from './connect-account.ts'
import { checkConnection, listConnections, revokeConnection, showConnection } from './connections.ts'
import { listConnectors, showConnector } from './connectors.ts'
import { listEndpoints, listEvents } from './endpoints.ts'

const CONNECTORS_HELP = `
A connector is a service you can connect to.

Examples:
  npx atrium connectors ls --category code
  npx atrium connectors ls --search calendar
  npx atrium connectors show github
`

const CONNECTIONS_HELP = `
<connection> is an id, a label, or a unique connector slug or account name.
Share connections in the dashboard, with step-up.

Examples:
  npx atrium connections connect github
  npx atrium connections connect github --label Work
  npx atrium connections connect zendesk --field subdomain=acme
  echo '{"apiKey":"re_…"}' | npx atrium connections connect resend --stdin
  npx atrium connections ls --shared
  npx atrium connections check github
  npx atrium connections endpoints events 'Support chat' --status failed
`

export function addConnectionCommands(program: Command, environment: CliEnvironment): void {
  const connectors = program
    .command('connectors')
    .description('List connectors and show their tools')
    .addHelpText('after', CONNECTORS_HELP)
    .exitOverride()
  command(connectors, 'ls', 'List connectors by name')
    .option('--category <category>', 'only connectors in this category, such as code or chat')
    .option('--search <words>', 'only connectors whose name, description or tools contain this text')
    .action((options) => listConnectors(options, environment))
  command(connectors, 'show <slug>', 'Show a connector’s tools and how to connect it').action(
    (slug, options) => showConnector(slug, options, environment),
  )

  const connections = program
    .command('connections')
    .description('List, create, check and revoke connections to services')
    .addHelpText('after', CONNECTIONS_HELP)
    .exitOverride()
  command(connections, 'ls', 'List your connections, newest first')
    .option('--shared', 'include connections that other members share with you')
    .action((options) => listConnections(options, environment))
  command(connections, 'show <connection>', 'Show a connection and its latest calls').action((ref, options) =>
    showConnection(ref, options, environment),
  )
  command(connections, 'connect <slug>', 'Connect a service')
    .option('--label <label>', 'label that distinguishes several accounts with one service')
    .option('--field <key=value>', 'connector field, such as a host (repeatable)', collect, [])
    .option('--stdin', 'read credentials as JSON from stdin')
    .option('--no-browser', 'print the URL only')
    .action((slug, options) => connectAccount(slug, options, environment))
  command(connections, 'check <connection>', 'Check with the provider whether a connection works').action(
    (ref, options) => checkConnection(ref, options, environment),
  )
  command(connections, 'revoke <connection>', 'Delete the stored tokens and revoke access')
    .option('--yes', 'skip the confirmation')
    .action((ref, options) => revokeConnection(ref, options, environment))

  const endpoints = connections
    .command('endpoints')
    .description('List endpoints that receive provider events, and their events')
    .exitOverride()
  command(endpoints, 'ls', 'List endpoints, newest first')
    .option('--connection <connection>', 'only endpoints on this connection')
    .action((options) => listEndpoints(options, environment))
  command(endpoints, 'events <endpoint>', 'List an endpoint’s events, newest first')
    .option('--status <status>', 'only events with this status, such as failed or held')
    .option('--limit <number>', 'number of events', parseLimit, LIMIT_DEFAULT)
    .action((ref, options) => listEvents(ref, options, environment))
}

const collect = (value: string, before: string[]) => [...before, value]
