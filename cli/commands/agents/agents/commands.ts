import type { Command } from 'commander'
import { AGENT_TOOL_NAMES } from '../../../../contract/agents/agent-options.ts'
import { agents } from '../../../../contract/agents/agents.ts'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { applyAgents } from './apply.ts'
import { exportAgents, printYaml, writeFields } from './export.ts'
import { type Agent, findAgent, listAll } from './find.ts'
import { agentEntry } from './inventory.ts'

const HELP = `
<agent> is an id or a name. A file is YAML or JSON with the sections skills, guardrails, agents and schedules; settings that it
does not name stay as they are. Agents name their skills and guardrails, and schedules their agent. Skills and guardrails are
confirmed in the browser; a rule that allows a tool or a risk, and a higher budget, can be set in the dashboard only.

Examples:
  npx atrium agents export Researcher > researcher.yaml   write an agent, its skills, guardrails and schedules
  npx atrium agents apply researcher.yaml --dry-run       show the changes of the file
  npx atrium agents apply researcher.yaml                 show the plan, ask, and apply it
  npx atrium agents export --all | npx atrium agents apply - --yes --server https://other.example.com
`

export function addAgentCommands(program: Command, environment: CliEnvironment): void {
  const agents = program
    .command('agents')
    .description('List, show, apply, export and archive agents')
    .addHelpText('after', HELP)
    .exitOverride()
  command(agents, 'ls', 'List agents by name')
    .option('--search <text>', 'agents whose name or description contains this text')
    .option('--archived', 'archived agents only')
    .action((options) => listAgents(options, environment))
  command(agents, 'show <agent>', 'Show the settings of an agent').action((ref, options) =>
    showAgent(ref, options, environment),
  )
  command(
    agents,
    'apply <file>',
    'Create or change agents, skills, guardrails and schedules from a file; - reads standard input',
  )
    .option('--dry-run', 'show the plan only')
    .option('--yes', 'do not ask for confirmation')
    .option('--no-browser', 'print the URL that confirms skills and guardrails, and open no browser')
    .option('--wait', 'wait for the browser, also without a terminal')
    .option('--no-wait', 'do not wait for the browser')
    .action((file, options) => applyAgents(file, options, environment))
  command(
    agents,
    'export [agents...]',
    'Print agents and their skills, guardrails and schedules as YAML for apply',
  )
    .option('--all', 'all agents, skills, guardrails and schedules, instead of named agents')
    .option('--ids', 'include the ids, so that apply finds records by id')
    .action((refs, options) => exportAgents(refs, options, environment))
  command(agents, 'archive <agent>', 'Archive an agent').action((ref, options) =>
    archiveAgent(ref, options, environment),
  )
}

interface ListOptions {
  server?: string
  json?: boolean
  search?: string
  archived?: boolean
}

async function listAgents(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const items = await listAll(connection, { q: options.search, archived: options.archived })
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No agents match')
  printTable([['ID', 'NAME', 'MODEL', 'TOOLS', 'VERSION', 'UPDATED'], ...items.map(rowOf)])
}

const rowOf = ({ id, name, emoji, model, tools, version, updatedAt }: Agent): string[] => [
  id,
  sanitize(emoji ? `${emoji} ${name}` : name),
  model === null ? 'default' : sanitize(model),
  AGENT_TOOL_NAMES.filter((tool) => tools[tool]).join(', ') || '-',
  String(version),
  `${updatedAt.slice(0, 10)} ${updatedAt.slice(11, 16)}Z`,
]

interface ShowOptions {
  server?: string
  json?: boolean
}

async function showAgent(ref: string, options: ShowOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const agent = await findAgent(connection, ref)
  if (options.json) return printData(agent)
  const { version, updatedAt, archivedAt, warnings } = agent
  printMessage(`Version ${version} of ${updatedAt}${archivedAt ? `, archived ${archivedAt}` : ''}`)
  for (const { path, message } of warnings) printMessage(`warning  ${path}: ${sanitize(message)}`)
  printYaml(await writeFields(agentEntry(agent, (_, id) => id, [])))
}

interface ArchiveOptions {
  server?: string
  json?: boolean
}

async function archiveAgent(
  ref: string,
  options: ArchiveOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findAgent(connection, ref)
  const agent = await parseResponse(server, agents.remove, client.agents.remove({ id }))
  if (options.json) return printData(agent)
  printMessage(`Archived ${sanitize(agent.name)}. Unarchive it in the dashboard: ${server}/agents/${id}`)
}
