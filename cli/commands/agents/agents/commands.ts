import { type Command, Option } from 'commander'
import { AGENT_TOOL_NAMES } from '../../../../contract/agents/agent-options.ts'
import { AGENT_TEMPLATE_NAMES } from '../../../../contract/agents/agent-templates.ts'
import { agents } from '../../../../contract/agents/agents.ts'
import { command } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { applyAgents } from './apply.ts'
import { createFromTemplate } from './create.ts'
import { exportAgents, printYaml, writeFields } from './export.ts'
import { type Agent, findAgent, listAll } from './find.ts'
import { removeImage, setImage } from './image.ts'
import { agentEntry } from './inventory.ts'

const HELP = `
<agent> is an id or a name. A file is YAML or JSON with the sections skills, guardrails, agents and schedules; omitted settings
stay unchanged. Agents refer to skills and guardrails by name, schedules to their agent. You confirm skills and guardrails in
the browser. Rules that allow a tool or a risk, and higher budgets, can only be set in the dashboard.

Examples:
  npx atrium agents create --template researcher          create an agent from a template
  npx atrium agents export Researcher > researcher.yaml   save an agent with its skills, guardrails and schedules
  npx atrium agents apply researcher.yaml --dry-run       show what the file changes
  npx atrium agents apply researcher.yaml                 show the plan, confirm, and apply it
  npx atrium agents export --all | npx atrium agents apply - --yes --server https://other.example.com
`

export function addAgentCommands(program: Command, environment: CliEnvironment): void {
  const agents = program
    .command('agents')
    .description('List, show, create, apply, export and archive agents')
    .addHelpText('after', HELP)
    .exitOverride()
  command(agents, 'ls', 'List agents by name')
    .option('--search <text>', 'only agents whose name or description contains this text')
    .option('--archived', 'only archived agents')
    .action((options) => listAgents(options, environment))
  command(agents, 'show <agent>', 'Show an agent’s settings').action((ref, options) =>
    showAgent(ref, options, environment),
  )
  command(agents, 'create', 'Create an agent from a template')
    .addOption(
      new Option('--template <name>', 'starting point').choices(AGENT_TEMPLATE_NAMES).makeOptionMandatory(),
    )
    .option('--name <name>', 'instead of the template’s name')
    .option('--model <model>', 'provider and model, such as openai/gpt-5')
    .action((options) => createFromTemplate(options, environment))
  command(
    agents,
    'apply <file>',
    'Create or update agents, skills, guardrails and schedules from a file (use - to read from stdin)',
  )
    .option('--dry-run', 'only show the plan')
    .option('--yes', 'skip the confirmation')
    .option(
      '--no-browser',
      'print the confirmation URL for skills and guardrails instead of opening a browser',
    )
    .option('--wait', 'wait for the browser even without a terminal')
    .option('--no-wait', 'don’t wait for the browser')
    .action((file, options) => applyAgents(file, options, environment))
  command(
    agents,
    'export [agents...]',
    'Print agents with their skills, guardrails and schedules as YAML for apply',
  )
    .option('--all', 'export all agents, skills, guardrails and schedules')
    .option('--ids', 'include ids so that apply matches records by id')
    .action((refs, options) => exportAgents(refs, options, environment))
  command(agents, 'image <agent> [file]', 'Set an agent’s image: PNG, JPEG or WebP, at most 256 KB')
    .option('--remove', 'show the emoji or the generated face again')
    .action((ref, file, options) =>
      options.remove
        ? removeImage(ref, file, options, environment)
        : setImage(ref, file, options, environment),
    )
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
  printMessage(`Version ${version}, updated ${updatedAt}${archivedAt ? `, archived ${archivedAt}` : ''}`)
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
