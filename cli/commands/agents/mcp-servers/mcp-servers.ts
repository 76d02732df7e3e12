import { MCP_STATES, MCP_TOOL_STATES } from '../../../../contract/agents/mcp-server-options.ts'
import { mcpServers } from '../../../../contract/agents/mcp-servers.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, printMessage, sanitize } from '../../../terminal.ts'

interface Options {
  server?: string
  json?: boolean
}

const readAll = async ({ server, client }: Connection) =>
  (await parseResponse(server, mcpServers.list, client.mcpServers.list())).items

export async function listMcpServers(options: Options, environment: CliEnvironment): Promise<void> {
  const items = await readAll(await connect(options.server, environment))
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No MCP servers')
  for (const { name, host, state, toolNames } of items)
    print(
      `${MCP_STATES[state].label.padEnd(13)}  ${sanitize(name)}  (${sanitize(host)}, ${countOf(toolNames.length)})`,
    )
}

const countOf = (count: number) => (count === 1 ? '1 tool' : `${count} tools`)

/** Admins see every tool with its state, others the tools that agents can use. */
export async function showMcpServer(
  ref: string,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
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

export async function checkMcpServer(
  ref: string,
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await find(connection, ref)
  const result = await parseResponse(server, mcpServers.check, client.mcpServers.check({ id }))
  if (options.json) printData(result)
  if (!result.ok) throw new Failure('failed', `${name}: ${result.problem ?? 'the server does not respond'}`)
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
