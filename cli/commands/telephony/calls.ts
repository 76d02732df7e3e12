import type { Command } from 'commander'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { calls } from '../../../contract/telephony/calls.ts'
import { CALL_ENDS, CALL_STATUSES, DIRECTIONS } from '../../../contract/telephony/telephony-options.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { parseChoice, parseTime } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { findAgent } from '../agents/agents/find.ts'
import { requireId } from '../agents/runs/find.ts'
import { costText, durationText, timeText } from '../agents/runs/labels.ts'
import { findProject } from '../projects/projects/find.ts'
import { findNumber, parseNumber } from './find-number.ts'

export function addCallCommands(telephony: Command, environment: CliEnvironment): void {
  const calls = telephony
    .command('calls')
    .description('List, show, make, transfer and end calls')
    .exitOverride()
  command(calls, 'ls', 'List calls, newest first', { isDefault: true })
    .option('--open', 'only calls that haven’t ended')
    .option('--direction <direction>', 'inbound or outbound')
    .option('--status <status>', 'only calls with this status, such as completed or no_answer')
    .option('--number <number>', 'only calls on this organization number (number, id or label)')
    .option('--peer <number>', 'only calls to or from this number')
    .option('--agent <agent>', 'only calls by this agent (id or name)')
    .option('--project <project>', 'only calls in this project (slug, id or name)')
    .option('--since <time>', 'only calls since a time, or since 90m, 24h or 7d ago')
    .option('--limit <count>', 'number of calls, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listCalls(options, environment))
  command(calls, 'show <call>', 'Show a call with its timeline').action((ref, options) =>
    showCall(ref, options, environment),
  )
  command(calls, 'make <number>', 'Make a call: an agent talks, or a message is read out')
    .option('--agent <agent>', 'agent that talks (id or name)')
    .option('--task <text>', 'the agent’s task')
    .option('--message <text>', 'message to read out; with --agent, the agent’s opening sentence')
    .option('--from <number>', 'organization number to call from (default: the oldest)')
    .action((number, options) => makeCall(number, options, environment))
  command(calls, 'hangup <call>', 'End a call').action((ref, options) => hangUp(ref, options, environment))
  command(calls, 'transfer <call> <numbers...>', 'Connect the caller to the first number that answers')
    .option('--summary <text>', 'summary read to the target before the caller joins')
    .action((ref, numbers, options) => transferCall(ref, numbers, options, environment))
}

interface MakeOptions {
  server?: string
  json?: boolean
  agent?: string
  task?: string
  message?: string
  from?: string
}

/** Prints the call's id. */
async function makeCall(number: string, options: MakeOptions, environment: CliEnvironment): Promise<void> {
  const to = parseNumber(number)
  if (options.agent === undefined && options.message === undefined)
    throw new Failure('usage', 'Specify --agent or --message')
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const from = options.from && (await findNumber(connection, options.from)).e164
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const { message, task } = options
  const create = client.calls.create(
    { to, agentId, message, task, from },
    { idempotencyKey: crypto.randomUUID() },
  )
  const call = await parseResponse(server, calls.create, create)
  if (options.json) return printData(call)
  print(call.id)
  printMessage(
    `Calling ${call.to} from ${call.from}. Follow it with: npx atrium telephony calls show ${call.id}`,
  )
}

interface ListOptions {
  server?: string
  json?: boolean
  open?: boolean
  direction?: string
  status?: string
  number?: string
  peer?: string
  agent?: string
  project?: string
  since?: string
  limit: number
}

async function listCalls(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const direction = parseChoice('direction', DIRECTIONS, options.direction)
  const status = parseChoice('status', CALL_STATUSES, options.status)
  const peer = options.peer && parseNumber(options.peer)
  const since = options.since && parseTime('--since', options.since)
  const open = options.open ? ('true' as const) : undefined
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const numberId = options.number && (await findNumber(connection, options.number)).id
  const agentId = options.agent && (await findAgent(connection, options.agent)).id
  const projectId = options.project && (await findProject(connection, options.project)).id
  const filter = { open, direction, status, numberId, peer, agentId, projectId, since, limit: options.limit }
  const { items, nextCursor } = await parseResponse(server, calls.list, client.calls.list(filter))
  if (options.json) return printData({ items, nextCursor })
  if (items.length === 0) return printMessage('No calls match')
  printCalls(items)
  if (nextCursor) printMessage('There are more. Use --limit, --since or --project.')
}

export const printCalls = (items: Call[]) =>
  printTable([
    ['ID', 'STARTED', 'DIRECTION', 'FROM', 'TO', 'STATUS', 'TIME', 'COST', 'AGENT'],
    ...items.map(rowOf),
  ])

const rowOf = (call: Call): string[] => [
  call.id,
  timeText(call.startedAt),
  call.direction,
  sanitize(call.member?.name ?? call.from),
  sanitize(call.to),
  call.status,
  call.durationSeconds === null ? '-' : durationText(call.durationSeconds * 1000) || '0 s',
  call.cost ? callCostText(call.cost) : '-',
  sanitize(call.agentName ?? '-'),
]

/** Says `about` until the carrier reports its own amount. */
const callCostText = (cost: NonNullable<Call['cost']>) =>
  cost.isEstimate ? `about ${costText(cost)}` : costText(cost)

async function showCall(
  ref: string,
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await findCallId(connection, ref)
  const call = await parseResponse(server, calls.get, client.calls.get({ id }))
  if (options.json) return printData(call)
  print(`Call ${id}  ${call.status}`)
  for (const [name, value] of factsOf(call, server))
    if (value) print(`  ${name.padEnd(10)}  ${sanitize(value)}`)
  if (call.timeline.length === 0) return
  print()
  const rows = call.timeline.map(({ at, type, detail }) => [
    timeText(at),
    sanitize(type),
    sanitize(detail ?? ''),
  ])
  printTable([['TIME', 'EVENT', ''], ...rows])
}

function factsOf(call: CallWithTimeline, server: string): [name: string, value: string | null][] {
  const { transfer, durationSeconds, endReason } = call
  return [
    ['from', call.member?.name ?? call.from],
    ['to', call.to],
    ['direction', `${call.direction}, through ${call.provider}`],
    ['agent', call.agentName],
    ['started', timeText(call.startedAt)],
    ['answered', call.answeredAt && timeText(call.answeredAt)],
    ['ended', call.endedAt && timeText(call.endedAt)],
    ['duration', durationSeconds === null ? null : durationText(durationSeconds * 1000)],
    ['reason', endReason && CALL_ENDS[endReason]],
    ['transfer', transfer && [transfer.state, transfer.target, transfer.reason].filter(Boolean).join(', ')],
    ['summary', call.summary],
    ['cost', call.cost && callCostText(call.cost)],
    ['session', call.sessionId],
    ['run', call.runId],
    ['recording', call.recordingFileId],
    ['transcript', call.transcriptFileId],
    ['page', `${server}/phone/calls/${call.id}`],
  ]
}

interface Options {
  server?: string
  json?: boolean
}

async function hangUp(ref: string, options: Options, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await findCallId(connection, ref)
  const call = await parseResponse(server, calls.hangUp, client.calls.hangUp({ id }))
  if (options.json) return printData(call)
  if (!call.endedAt) return printMessage('The call ends once the carrier confirms it')
  printMessage(`The call has ended. ${call.endReason ? CALL_ENDS[call.endReason] : ''}`.trimEnd())
}

async function transferCall(
  ref: string,
  numbers: string[],
  options: Options & { summary?: string },
  environment: CliEnvironment,
): Promise<void> {
  const targets = numbers.map(parseNumber)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const id = await findCallId(connection, ref)
  const transfer = client.calls.transfer({ id, targets, summary: options.summary })
  const call = await parseResponse(server, calls.transfer, transfer)
  if (options.json) return printData(call)
  const target = sanitize(call.transfer?.target ?? targets[0]!)
  printMessage(
    `The caller is on hold while ${target} is called. Follow it with: npx atrium telephony calls show ${id}`,
  )
}

type CallWithTimeline = OutputOf<typeof calls.get>
type Call = OutputOf<typeof calls.list>['items'][number]

/** `last` is the newest call. */
async function findCallId({ server, client }: Connection, ref: string): Promise<string> {
  if (ref !== 'last') return requireId(ref, 'call', 'telephony calls')
  const { items } = await parseResponse(server, calls.list, client.calls.list({ limit: 1 }))
  if (items[0]) return items[0].id
  throw new Failure('failed', 'No calls yet', 'Make one with `npx atrium telephony calls make`.')
}
