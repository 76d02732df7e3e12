import type { Command } from 'commander'
import { MCP_STATES, MCP_TOOL_STATES } from '../../../contract/agents/mcp-server-options.ts'
import { mcpServers } from '../../../contract/agents/mcp-servers.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, printMessage, sanitize } from '../../terminal.ts'

const HELP = `
<server> is an id, a slug or a name. Add and edit MCP servers in the dashboard, with step-up.

Examples:
  npx atrium mcp servers ls
  npx atrium mcp servers show linear
  npx atrium mcp servers check linear
`

export function addMcpServerCommands(program: Command, environment: CliEnvironment): void {
  const mcp = program.commands.find((each) => each.name() === 'mcp')!
  const servers = mcp
    .command('servers')
    .description('List the MCP servers whose tools agents can use, and check their connection')
    .addHelpText('after', HELP)
    .exitOverride()
  command(servers, 'ls', 'List MCP servers with their status').action((options) =>
    listMcpServers(options, environment),
  )
  command(servers, 'show <server>', 'Show an MCP server’s tools').action((ref, options) =>
    showMcpServer(ref, options, environment),
  )
  command(servers, 'check <server>', 'Connect to an MCP server now and list its tools').action(
    (ref, options) => checkMcpServer(ref, options, environment),
  )
}

interface Options {
  server?: string
  json?: boolean
}

const readAll = async ({ server, client }: Connection) =>
  (await parseResponse(server, mcpServers.list, client.mcpServers.list())).items

async function listMcpServers(options: Options, environment: CliEnvironment): Promise<void> {
  const items = await readAll(await connect(options.server, environment))
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No MCP servers')
  for (const { name, host, state, toolNames } of items)
    print(
      `${MCP_STATES[state].label.padEnd(13)}  ${sanitize(name)}  (${sanitize(host)}, ${countOf(toolNames.length)})`,
    )
}

const countOf = (count: number) => (count === 1 ? '1 tool' : `${count} tools`)

/** Members see only the tools agents can use. */
async function showMcpServer(ref: string, options: Options, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await find(connection, ref)
  const found = await parseResponse(server, mcpServers.get, client.mcpServers.get({ id }))
  if (options.json) return printData(found)
  print(`${sanitize(found.name)}  ${sanitize(found.host)}  ${MCP_STATES[found.state].label}`)
  if (found.problem) print(`Problem: ${sanitize(found.problem)}`)
  const tools =
    (found.tools as typeof found.tools | undefined) ??
    found.toolNames.map((tool) => ({ ...tool, state: 'on' as const, problem: null }))
  for (const { callName, state, problem } of tools)
    print(
      `${MCP_TOOL_STATES[state].label.padEnd(8)}  ${sanitize(callName)}${problem ? `  ${sanitize(problem)}` : ''}`,
    )
}

async function checkMcpServer(ref: string, options: Options, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await find(connection, ref)
  const result = await parseResponse(server, mcpServers.check, client.mcpServers.check({ id }))
  if (options.json) printData(result)
  if (!result.ok) throw new Failure('failed', `${name}: ${result.problem ?? 'the server isn’t responding'}`)
  if (options.json) return
  const { tools, pendingCount } = result.server
  print(`${sanitize(name)} responds in ${result.latencyMs} ms with ${countOf(tools.length)}`)
  if (pendingCount > 0)
    printMessage(`${countOf(pendingCount)} to accept in the dashboard: ${server}/mcp-servers/${id}`)
}

async function find(connection: Connection, ref: string) {
  const items = await readAll(connection)
  const found = items.find(({ id, slug, name }) => [id, slug, name].includes(ref))
  if (found) return found
  throw new Failure(
    'failed',
    `MCP server ${ref} not found`,
    'Run `npx atrium mcp servers ls` to list MCP servers.',
  )
}
