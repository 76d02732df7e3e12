import type { Command } from 'commander'
import { memory } from '../../../../contract/knowledge/memory.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, printData, printMessage, sanitize, style } from '../../../terminal.ts'
import { requireId } from '../../agents/runs/find.ts'
import { shorten, timeText } from '../../agents/runs/labels.ts'
import { findProject } from '../../projects/projects/find.ts'
import { exportMemory, importMemory } from './transfer.ts'

const HELP = `
Without --project, commands use the organization’s memory. Proposals are memories that agents saved after reading
untrusted content. No agent sees them until you accept them.

Examples:
  npx atrium memory add releases "Releases go out on Tuesdays" --project website
  npx atrium memory search "release day" --project website
  npx atrium memory ls --proposed
  npx atrium memory accept 0199…
  npx atrium memory export --format markdown > memory.md
`

const PROJECT = ['--project <project>', 'use this project’s memory (slug, id or name)'] as const

export function addMemoryCommands(program: Command, environment: CliEnvironment): void {
  const memory = program
    .command('memory')
    .description('List, search, save and review agent memory')
    .addHelpText('after', HELP)
    .exitOverride()
  const addListCommand = (usage: string, description: string) =>
    command(memory, usage, description)
      .option(...PROJECT)
      .option('--limit <count>', 'number of memories, 1 to 100', parseLimit, LIMIT_DEFAULT)
  addListCommand('ls', 'List memories, newest first')
    .option('--org', 'only organization memories')
    .option('--proposed', 'proposals instead')
    .action((options) => listMemory(undefined, options, environment))
  addListCommand('search <query>', 'Find memories: words, "phrases", or, -without')
    .option('--org', 'only organization memories')
    .action((query, options) => listMemory(query, options, environment))
  command(memory, 'add <key> <text>', 'Save a memory, replacing the one with the same key')
    .option(...PROJECT)
    .option('--tag <tag...>', 'tags')
    .action((key, text, options) => addMemory(key, text, options, environment))
  command(memory, 'edit <memory>', 'Update a memory by id')
    .option('--key <key>', 'new key')
    .option('--text <text>', 'new text')
    .option('--tag <tag...>', 'new tags')
    .action((ref, options) => editMemory(ref, options, environment))
  command(memory, 'rm <memory>', 'Print the URL where you delete a memory').action((ref, options) =>
    refuseToRemove(ref, options, environment),
  )
  for (const decision of ['accept', 'reject'] as const)
    command(
      memory,
      `${decision} <memory>`,
      `${decision === 'accept' ? 'Accept' : 'Reject'} a proposal by id`,
    ).action((ref, options) => decideMemory(ref, decision, options, environment))
  command(memory, 'export', 'Print a project’s or the organization’s memory')
    .option(...PROJECT)
    .option('--format <format>', 'json or markdown', 'json')
    .action((options) => exportMemory(options, environment))
  command(memory, 'import <file>', 'Import memories from a JSON export')
    .option(...PROJECT)
    .action((file, options) => importMemory(file, options, environment))
}

interface ListOptions {
  server?: string
  json?: boolean
  project?: string
  org?: boolean
  proposed?: boolean
  limit: number
}

const CONTENT_COLUMNS = 100

async function listMemory(
  q: string | undefined,
  options: ListOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const scope = options.org ? ('org' as const) : undefined
  const status = options.proposed ? ('proposed' as const) : ('active' as const)
  const list = client.memory.list({ q, projectId, scope, status, limit: options.limit })
  const { items, nextCursor, proposedCount } = await parseResponse(server, memory.list, list)
  if (options.json) return printData({ items, nextCursor, proposedCount })
  if (items.length === 0)
    printMessage(
      options.proposed ? 'No proposed memories' : 'No memories match: a memory must contain every word',
    )
  for (const { id, key, content, projectName, replaces, source, updatedAt } of items) {
    print(`${style('bold', sanitize(key), process.stdout)}  ${shorten(content, CONTENT_COLUMNS)}`)
    const by = source === 'run' ? ', by an agent' : ''
    const note = replaces ? ', replaces a memory' : ''
    print(`  ${id}  ${sanitize(projectName ?? 'organization')}  ${timeText(updatedAt)}${by}${note}`)
  }
  if (nextCursor) printMessage('There are more. Use --limit, --project or a search.')
  if (proposedCount > 0 && !options.proposed)
    printMessage(`${proposedCount} proposed: npx atrium memory ls --proposed`)
}

interface SaveOptions {
  server?: string
  json?: boolean
  project?: string
  key?: string
  text?: string
  tag?: string[]
}

async function addMemory(
  key: string,
  content: string,
  options: SaveOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const call = client.memory.create({ projectId, key, content, tags: options.tag ?? [] })
  const saved = await parseResponse(server, memory.create, call)
  if (options.json) return printData(saved)
  printMessage(`${saved.version === 1 ? 'Saved' : 'Replaced'} ${sanitize(saved.key)}  ${saved.id}`)
}

async function editMemory(
  ref: string,
  { key, text, tag, ...options }: SaveOptions,
  environment: CliEnvironment,
): Promise<void> {
  if (key === undefined && text === undefined && tag === undefined)
    throw new Failure('usage', 'Nothing to change: use --key, --text or --tag')
  const id = requireId(ref, 'memory', 'memory ls')
  const { server, client } = await connect(options.server, environment)
  const call = client.memory.update({ id, key, content: text, tags: tag })
  const saved = await parseResponse(server, memory.update, call)
  if (options.json) return printData(saved)
  printMessage(`Updated ${sanitize(saved.key)}, version ${saved.version}`)
}

interface DecideOptions {
  server?: string
  json?: boolean
}

async function decideMemory(
  ref: string,
  decision: 'accept' | 'reject',
  options: DecideOptions,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'memory', 'memory ls --proposed')
  const { server, client } = await connect(options.server, environment)
  const decided = await parseResponse(server, memory[decision], client.memory[decision]({ id }))
  if (options.json) return printData(decided)
  const verb = decision === 'accept' ? 'Accepted' : 'Rejected'
  printMessage(`${verb} ${sanitize(decided.key)}. To undo, send POST ${server}/api/v1/memory/${id}/reopen`)
}

/** API keys can't delete memories, so this always fails with the page's URL. */
async function refuseToRemove(
  ref: string,
  options: DecideOptions,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'memory', 'memory ls')
  const { server, client } = await connect(options.server, environment)
  const { key } = await parseResponse(server, memory.get, client.memory.get({ id }))
  throw new Failure(
    'refused',
    `You can only delete ${sanitize(key)} in the browser`,
    `Delete it in the dashboard: ${server}/memory?id=${id}`,
  )
}
