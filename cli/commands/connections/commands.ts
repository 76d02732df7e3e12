import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connectAccount } from './connect-account.ts'
import { checkConnection, listConnections, revokeConnection, showConnection } from './connections.ts'
import { listConnectors, showConnector } from './connectors.ts'
import { listEndpoints, listEvents } from './endpoints.ts'

const CONNECTORS_HELP = `
A connector is a service that you can connect.

Examples:
  npx atrium connectors ls --category code
  npx atrium connectors ls --search calendar
  npx atrium connectors show github
`

const CONNECTIONS_HELP = `
<connection> is an id, a label, the slug of a connector or the name of an account, if it is unique.
Connections are shared in the dashboard, with step-up.

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
    .option('--category <category>', 'connectors of this category, such as code or chat')
    .option('--search <words>', 'part of the name, the description or a tool')
    .action((options) => listConnectors(options, environment))
  command(connectors, 'show <slug>', 'Show the tools of a connector and how it is connected').action(
    (slug, options) => showConnector(slug, options, environment),
  )

  const connections = program
    .command('connections')
    .description('List, create, check and revoke connections to services')
    .addHelpText('after', CONNECTIONS_HELP)
    .exitOverride()
  command(connections, 'ls', 'List your connections, newest first')
    .option('--shared', 'also connections that other members share with you')
    .action((options) => listConnections(options, environment))
  command(connections, 'show <connection>', 'Show a connection and its last calls').action((ref, options) =>
    showConnection(ref, options, environment),
  )
  command(connections, 'connect <slug>', 'Connect a service')
    .option('--label <label>', 'distinguishes several accounts of a service')
    .option('--field <key=value>', 'a field of the connector, such as a host (repeatable)', collect, [])
    .option('--stdin', 'read the credentials as JSON from stdin')
    .option('--no-browser', 'print the URL only')
    .action((slug, options) => connectAccount(slug, options, environment))
  command(connections, 'check <connection>', 'Ask the provider whether a connection works').action(
    (ref, options) => checkConnection(ref, options, environment),
  )
  command(connections, 'revoke <connection>', 'Delete the stored tokens and revoke the access')
    .option('--yes', 'do not ask for confirmation')
    .action((ref, options) => revokeConnection(ref, options, environment))

  const endpoints = connections
    .command('endpoints')
    .description('List the endpoints that receive events of providers, and their events')
    .exitOverride()
  command(endpoints, 'ls', 'List endpoints, newest first')
    .option('--connection <connection>', 'endpoints of this connection')
    .action((options) => listEndpoints(options, environment))
  command(endpoints, 'events <endpoint>', 'List the events of an endpoint, newest first')
    .option('--status <status>', 'events with this status, such as failed or held')
    .option('--limit <number>', 'how many events', parseLimit, LIMIT_DEFAULT)
    .action((ref, options) => listEvents(ref, options, environment))
}

const collect = (value: string, before: string[]) => [...before, value]
