import type { Command } from 'commander'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { sms } from '../../../contract/telephony/sms.ts'
import { DIRECTIONS, SMS_STATUSES } from '../../../contract/telephony/telephony-options.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { parseChoice } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'
import { findProject } from '../projects/projects/find.ts'
import { findNumber, parseNumber } from './find-number.ts'

type Sms = OutputOf<typeof sms.get>

interface ListOptions {
  server?: string
  json?: boolean
  direction?: string
  status?: string
  number?: string
  peer?: string
  project?: string
  limit: number
}

const TEXT_COLUMNS = 50

export function addSmsCommands(telephony: Command, environment: CliEnvironment): void {
  const messages = telephony.command('sms').description('List and send text messages').exitOverride()
  command(messages, 'ls', 'List text messages, newest first', { isDefault: true })
    .option('--direction <direction>', 'inbound or outbound')
    .option('--status <status>', 'only messages with this status, such as delivered or failed')
    .option('--number <number>', 'only messages on this organization number (number, id or label)')
    .option('--peer <number>', 'only messages to or from this number')
    .option('--project <project>', 'only messages in this project (slug, id or name)')
    .option('--limit <count>', 'number of messages, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listSms(options, environment))
  command(messages, 'send <number> <text>', 'Send a text message')
    .option('--from <number>', 'organization number to send from (number, id or label)')
    .action((number, text, options) => sendSms(number, text, options, environment))
}

async function listSms(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const direction = parseChoice('direction', DIRECTIONS, options.direction)
  const status = parseChoice('status', SMS_STATUSES, options.status)
  const peer = options.peer && parseNumber(options.peer)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const numberId = options.number && (await findNumber(connection, options.number)).id
  const projectId = options.project && (await findProject(connection, options.project)).id
  const filter = { direction, status, numberId, peer, projectId, limit: options.limit }
  const { items, nextCursor } = await parseResponse(server, sms.list, client.sms.list(filter))
  if (options.json) return printData({ items, nextCursor })
  if (items.length === 0) return printMessage('No messages match')
  printTable([['TIME', 'FROM', 'TO', 'STATUS', 'TEXT', 'ID'], ...items.map(rowOf)])
  if (nextCursor) printMessage('There are more. Use --limit, --peer or --number.')
}

const rowOf = (message: Sms): string[] => [
  timeText(message.createdAt),
  sanitize(message.from),
  sanitize(message.to),
  message.errorMessage ? `${message.status}: ${sanitize(message.errorMessage)}` : message.status,
  shorten(message.body, TEXT_COLUMNS),
  message.id,
]

/** Prints the message's id. */
async function sendSms(
  number: string,
  body: string,
  options: { server?: string; json?: boolean; from?: string },
  environment: CliEnvironment,
): Promise<void> {
  const to = parseNumber(number)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const numberId = options.from && (await findNumber(connection, options.from)).id
  const send = client.sms.send({ to, body, numberId }, { idempotencyKey: crypto.randomUUID() })
  const message = await parseResponse(server, sms.send, send)
  if (options.json) return printData(message)
  print(message.id)
  const { segments, encoding, from } = message
  printMessage(`Queued from ${from}: ${segments} ${segments === 1 ? 'segment' : 'segments'} (${encoding})`)
}
