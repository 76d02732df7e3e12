import { type Command, Option } from 'commander'
import { type ClientSetup, clientSetups } from '../../../contract/mcp/client-setups.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { chooseServer } from '../../connect.ts'
import { readCredentials } from '../../credentials.ts'
import { print, printData, printMessage } from '../../terminal.ts'
import { addAppCommands } from './apps.ts'
import { callTool, listTools } from './tools.ts'

const HELP = `
Examples:
  npx atrium mcp --client claude-code
  npx atrium mcp tools
  npx atrium mcp call search '{"query": "launch"}'
`

export function addMcpCommands(program: Command, environment: CliEnvironment): void {
  const mcp = command(program, 'mcp', 'Use Atrium from other programs over MCP')
    .addOption(new Option('--client <client>', 'client to set up').choices(CLIENTS))
    .addHelpText('after', HELP)
    .action((options) => printSetup(options, environment))
  command(mcp, 'tools', 'List the tools your key can use').action((options) =>
    listTools(options, environment),
  )
  command(mcp, 'call <tool> [input]', 'Call a tool with its input as JSON').action((tool, input, options) =>
    callTool(tool, input, options, environment),
  )
  addAppCommands(mcp, environment)
}

/** Without ChatGPT, which is set up in the browser and only with sign-in. */
const CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'mcp-remote'] as const

interface Options {
  server?: string
  json?: boolean
  client?: (typeof CLIENTS)[number]
}

/** Needs no sign-in. */
async function printSetup(options: Options, environment: CliEnvironment): Promise<void> {
  const server = chooseServer(options.server, environment, await readCredentials(environment.folder))
  const url = `${server}/mcp`
  const setups = clientSetups(url)
  const chosenSetups = options.client ? setups.filter(({ id }) => id === options.client) : setups
  if (options.json) return printData({ url, clients: chosenSetups })
  if (!options.client) {
    print(url)
    printMessage(`\nChoose a client with --client: ${CLIENTS.join(', ')}`)
    printMessage('Keys: npx atrium keys create, with the scope mcp:read or mcp:write')
    return
  }
  for (const setup of chosenSetups) printClient(setup)
}

function printClient({ label, obstacle, signIn = [], key = [] }: ClientSetup): void {
  if (obstacle) printMessage(`${obstacle}\n`)
  for (const [title, steps] of [
    [`${label}, signing in with the browser`, signIn],
    [`${label}, with an API key`, key],
  ] as const) {
    if (steps.length === 0) continue
    printMessage(`# ${title}`)
    for (const { text, code } of steps) {
      printMessage(text)
      if (code) print(code)
    }
    printMessage()
  }
}
