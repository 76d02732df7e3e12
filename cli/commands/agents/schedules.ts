import type { Command } from 'commander'
import { schedules } from '../../../contract/agents/schedules.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { isId } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { findProject } from '../projects/projects/find.ts'
import { findAgent } from './agents/find.ts'
import { requireId } from './runs/find.ts'
import { shorten, timeText } from './runs/labels.ts'

const HELP = `
<schedule> is an id or a name. A schedule runs with the permissions of the member or key that last changed its action.

Examples:
  npx atrium schedules create --project launch-plan --cron '0 9 * * 1-5' --zone Europe/Berlin 'What is open today?'
  npx atrium schedules create --project launch-plan --cron '0 18 L * *' --block 0199…
  npx atrium schedules ls
  npx atrium schedules pause 'What is open today?'
  npx atrium runs ls --trigger schedule           its runs
`

export function addScheduleCommands(program: Command, environment: CliEnvironment): void {
  const schedules = program
    .command('schedules')
    .description('List, create, pause, resume, run and delete schedules')
    .addHelpText('after', HELP)
    .exitOverride()
  command(schedules, 'ls', 'List schedules, newest first')
    .option('--project <project>', 'only schedules in this project (slug, id or name)')
    .action((options) => listSchedules(options, environment))
  command(schedules, 'create [message]', 'Create a schedule that messages an agent or runs a block')
    .requiredOption('--project <project>', 'project (slug, id or name)')
    .requiredOption('--cron <expression>', 'minute, hour, day of month, month, day of week')
    .option('--zone <zone>', 'time zone, such as Europe/Berlin (default: this machine’s)')
    .option('--agent <agent>', 'agent (id or name)')
    .option('--block <id>', 'agent block to run instead of sending a message')
    .option('--name <name>', 'its name')
    .action((message, options) => createSchedule(message, options, environment))
  command(schedules, 'pause <schedule>', 'Pause a schedule').action((ref, options) =>
    setEnabled(ref, false, options, environment),
  )
  command(schedules, 'resume <schedule>', 'Resume a schedule; it then runs with your permissions').action(
    (ref, options) => setEnabled(ref, true, options, environment),
  )
  command(schedules, 'run <schedule>', 'Run a schedule now').action((ref, options) =>
    runSchedule(ref, options, environment),
  )
  command(schedules, 'rm <schedule>', 'Delete a schedule; its runs are kept').action((ref, options) =>
    deleteSchedule(ref, options, environment),
  )
}

interface ListOptions {
  server?: string
  json?: boolean
  project?: string
}

const NAME_COLUMNS = 40
const NONE = '-'

async function listSchedules(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const projectId = options.project && (await findProject(connection, options.project)).id
  const items = await listAll(connection, projectId)
  if (options.json) return printData({ items })
  if (items.length === 0) return printMessage('No schedules')
  printTable([['ID', 'NAME', 'PROJECT', 'WHEN', 'NEXT', 'LAST'], ...items.map(rowOf)])
}

const rowOf = (schedule: Schedule): string[] => [
  schedule.id,
  shorten(schedule.name, NAME_COLUMNS),
  sanitize(schedule.projectName),
  `${sanitize(schedule.description)} (${sanitize(schedule.timeZone)})`,
  nextText(schedule),
  schedule.lastOutcome === 'started' ? (schedule.lastRun?.status ?? NONE) : (schedule.lastOutcome ?? NONE),
]

function nextText({ enabled, paused, nextRunAt }: Schedule): string {
  if (!enabled) return 'paused'
  if (paused) return `paused: ${paused.reason}`
  return nextRunAt ? timeText(nextRunAt) : NONE
}

interface CreateOptions {
  server?: string
  json?: boolean
  project: string
  cron: string
  zone?: string
  agent?: string
  block?: string
  name?: string
}

async function createSchedule(
  message: string | undefined,
  options: CreateOptions,
  environment: CliEnvironment,
): Promise<void> {
  if ((message === undefined) === (options.block === undefined))
    throw new Failure('usage', 'Specify either a message or --block')
  const blockId = options.block && requireId(options.block, 'block', 'projects export')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id: projectId } = await findProject(connection, options.project)
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const timeZone = options.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const { cron, name } = options
  const call = client.schedules.create(
    { projectId, agentId, message, blockId, cron, timeZone, name },
    { idempotencyKey: crypto.randomUUID() },
  )
  const schedule = await parseResponse(server, schedules.create, call)
  if (options.json) return printData(schedule)
  print(schedule.id)
  const next = schedule.nextRuns.map(timeText).join(', ')
  printMessage(`${sanitize(schedule.description)} (${sanitize(schedule.timeZone)}). Next: ${next}`)
}

interface ManageOptions {
  server?: string
  json?: boolean
}

async function setEnabled(
  ref: string,
  enabled: boolean,
  options: ManageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findSchedule(connection, ref)
  const call = client.schedules.update({ id, enabled })
  const schedule = await parseResponse(server, schedules.update, call)
  if (options.json) return printData(schedule)
  const name = sanitize(schedule.name)
  printMessage(enabled ? `Resumed ${name}. Next: ${nextText(schedule)}` : `Paused ${name}`)
}

async function runSchedule(ref: string, options: ManageOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findSchedule(connection, ref)
  const call = client.schedules.run({ id }, { idempotencyKey: crypto.randomUUID() })
  const { run } = await parseResponse(server, schedules.run, call)
  if (options.json) return printData({ run })
  print(run.id)
  printMessage(`Follow it with: npx atrium runs follow ${run.id}`)
}

async function deleteSchedule(
  ref: string,
  options: ManageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id, name } = await findSchedule(connection, ref)
  const deleted = await parseResponse(server, schedules.remove, client.schedules.remove({ id }))
  if (options.json) return printData(deleted)
  printMessage(`Deleted ${sanitize(name)}`)
}

export type Schedule = OutputOf<typeof schedules.get>

export async function listAll({ server, client }: Connection, projectId?: string): Promise<Schedule[]> {
  const items: Schedule[] = []
  let cursor: string | undefined
  do {
    const list = client.schedules.list({ projectId, limit: 100, cursor })
    const page = await parseResponse(server, schedules.list, list)
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return items
}

/** Accepts an id or a unique name. */
async function findSchedule(connection: Connection, ref: string): Promise<Schedule> {
  const { server, client } = connection
  if (isId(ref)) return parseResponse(server, schedules.get, client.schedules.get({ id: ref }))
  const found = (await listAll(connection)).filter(({ name }) => name === ref)
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Failure(
      'failed',
      `Schedule ${ref} not found`,
      'Run `npx atrium schedules ls` to list schedules.',
    )
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure('usage', `${found.length} schedules are named ${ref}: use an id`, `Ids: ${ids}`)
}
