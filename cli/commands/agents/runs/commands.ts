import type { Command } from 'commander'
import { AGENT_RUN_STATUSES, agentRuns, RUN_TRIGGERS } from '../../../../contract/agents/agent-runs.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { parseChoice, parseTime } from '../../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { withRetry } from '../../files/retry.ts'
import { findProject } from '../../projects/projects/find.ts'
import { findAgent } from '../agents/find.ts'
import { listChanges, undoRun } from './changes.ts'
import { findRun, requireId } from './find.ts'
import { followOne, followToEnd } from './follow.ts'
import { continueRun, listItems } from './items.ts'
import { type AgentRun, betweenText, costText, shorten, statusText, timeText } from './labels.ts'
import { showRun } from './show.ts'

const HELP = `
<run> is an id, or \`last\` for the newest run you can see.

Examples:
  npx atrium runs ls --status failed --since 24h
  npx atrium runs show last                       its steps, tool calls, tokens and cost
  npx atrium runs follow last                     its text and tool calls as they happen
  npx atrium runs follow 0199… --json             one event per line
  npx atrium runs retry last --follow             ask the agent again after a failure
  npx atrium runs changes last                    the blocks, files and memories it changed
  npx atrium runs undo last --dry-run             what an undo would change
`

export function addRunCommands(program: Command, environment: CliEnvironment): void {
  const runs = program
    .command('runs')
    .description('List, show, follow, cancel, retry and undo agent runs')
    .addHelpText('after', HELP)
    .exitOverride()
  command(runs, 'ls', 'List runs, newest first')
    .option('--project <project>', 'only runs in this project (slug, id or name)')
    .option('--agent <agent>', 'only runs by this agent (id or name)')
    .option('--session <id>', 'only runs in this session')
    .option('--status <status>', 'only runs with this status, such as waiting or failed')
    .option('--trigger <trigger>', 'only runs with this trigger, such as message or block')
    .option('--since <time>', 'only runs since a time, or since 90m, 24h or 7d ago')
    .option('--limit <count>', 'number of runs, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listRuns(options, environment))
  command(runs, 'show <run>', 'Show a run with its steps and tool calls').action((ref, options) =>
    showRun(ref, options, environment),
  )
  command(
    runs,
    'follow <run>',
    'Follow a run from its start until it ends; leaving doesn’t cancel it',
  ).action((ref, options) => followOne(ref, options, environment))
  command(runs, 'cancel <run>', 'Cancel a run').action((ref, options) => cancelRun(ref, options, environment))
  command(runs, 'retry <run>', 'Retry a failed or canceled run in the same session')
    .option('--follow', 'follow the new run until it ends')
    .action((ref, options) => retryRun(ref, options, environment))
  command(runs, 'items <run>', 'List the items that a run repeats over, with their results')
    .option('--state <state>', 'only items in this state: queued, running, done or failed')
    .option('--limit <count>', 'number of items, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((ref, options) => listItems(ref, options, environment))
  command(runs, 'continue <run>', 'Run the remaining items after a preview').action((ref, options) =>
    continueRun(ref, options, environment),
  )
  command(runs, 'changes <run>', 'List the blocks, edges, files and memories a run changed').action(
    (ref, options) => listChanges(ref, options, environment),
  )
  command(runs, 'undo <run>', 'Undo a run’s changes; you can undo the undo too')
    .option('--dry-run', 'only show the plan')
    .option('--force', 'also revert items that were edited after the run')
    .option('--yes', 'skip the confirmation')
    .action((ref, options) => undoRun(ref, options, environment))
}

interface ListOptions {
  server?: string
  json?: boolean
  project?: string
  agent?: string
  session?: string
  status?: string
  trigger?: string
  since?: string
  limit: number
}

const TITLE_COLUMNS = 50

/** Newest first. */
export async function listRuns(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const status = parseChoice('status', AGENT_RUN_STATUSES, options.status)
  const trigger = parseChoice('trigger', RUN_TRIGGERS, options.trigger)
  const since = options.since && parseTime('--since', options.since)
  const sessionId = options.session && requireId(options.session, 'session', 'chat ls')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const filter = { projectId, agentId, sessionId, status, trigger, since, limit: options.limit }
  const { items, nextCursor } = await parseResponse(server, agentRuns.list, client.agentRuns.list(filter))
  if (options.json) return printData({ items, nextCursor })
  if (items.length === 0) return printMessage('No runs match')
  printTable([['ID', 'STARTED', 'STATUS', 'STEPS', 'TIME', 'COST', 'AGENT', 'TITLE'], ...items.map(rowOf)])
  if (nextCursor) printMessage('There are more. Use --limit, --since or --project.')
}

const rowOf = (run: AgentRun): string[] => [
  run.id,
  timeText(run.createdAt),
  statusText(run),
  String(run.steps),
  betweenText(run.startedAt, run.finishedAt),
  costText(run.cost),
  sanitize(run.agentName),
  shorten(run.title, TITLE_COLUMNS),
]

interface ControlOptions {
  server?: string
  json?: boolean
}

async function cancelRun(ref: string, options: ControlOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findRun(connection, ref)
  const run = await parseResponse(server, agentRuns.cancel, client.agentRuns.cancel({ id }))
  if (options.json) return printData(run)
  const isEnded = run.finishedAt !== null
  printMessage(isEnded ? `The run had already ended: ${statusText(run)}` : 'The run will end within a second')
}

async function retryRun(
  ref: string,
  options: ControlOptions & { follow?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findRun(connection, ref)
  const idempotencyKey = crypto.randomUUID()
  const retry = () => client.agentRuns.retry({ id }, { idempotencyKey })
  const run = await parseResponse(server, agentRuns.retry, withRetry(retry, { isRepeatable: true }))
  if (options.follow) return followToEnd(connection, run, options.json ?? false)
  if (options.json) return printData(run)
  print(run.id)
  printMessage(`Follow it with: npx atrium runs follow ${run.id}`)
}
