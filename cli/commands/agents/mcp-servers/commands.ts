import type { Command } from 'commander'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { checkMcpServer, listMcpServers, showMcpServer } from './mcp-servers.ts'

const HELP = `
<server> is the id, slug or name of an MCP server. Servers are added and changed in the dashboard, with step-up.

Examples:
  npx atrium mcp servers ls
  npx atrium mcp servers show linear
  npx atrium mcp servers check linear
`

/** Adds `atrium mcp servers` to the commands of `atrium mcp`. */
export function addMcpServerCommands(program: Command, environment: CliEnvironment): void {
  const mcp = program.commands.find((each) => each.name() === 'mcp')!
  const servers = mcp
    .command('servers')
    .description('List the MCP servers whose tools agents can use, and check one')
    .addHelpText('after', HELP)
    .exitOverride()
  command(servers, 'ls', 'List MCP servers with their states').action((options) =>
    listMcpServers(options, environment),
  )
  command(servers, 'show <server>', 'Show the tools of an MCP server').action((ref, options) =>
    showMcpServer(ref, options, environment),
  )
  command(servers, 'check <server>', 'Connect to an MCP server now, and list its tools').action(
    (ref, options) => checkMcpServer(ref, options, environment),
  )
}
