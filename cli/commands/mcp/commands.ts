import { type Command, Option } from 'commander'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { addAppCommands } from './apps.ts'
import { CLIENTS, printSetup } from './setup.ts'
import { callTool, listTools } from './tools.ts'

const HELP = `
Examples:
  npx atrium mcp --client claude-code
  npx atrium mcp tools
  npx atrium mcp call search '{"query": "launch"}'
`

/** Adds `atrium mcp`, which prints how a client is connected, and the commands that try the server. */
export function addMcpCommands(program: Command, environment: CliEnvironment): void {
  const mcp = command(program, 'mcp', 'Use Atrium from other programs over MCP')
    .addOption(new Option('--client <client>', 'the client to set up').choices(CLIENTS))
    .addHelpText('after', HELP)
    .action((options) => printSetup(options, environment))
  command(mcp, 'tools', 'List the tools that your key can use').action((options) =>
    listTools(options, environment),
  )
  command(mcp, 'call <tool> [input]', 'Call a tool with its input as JSON').action((tool, input, options) =>
    callTool(tool, input, options, environment),
  )
  addAppCommands(mcp, environment)
}
