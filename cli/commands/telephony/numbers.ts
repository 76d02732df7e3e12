import type { Command } from 'commander'
import { phoneNumbers } from '../../../contract/telephony/phone-numbers.ts'
import { NUMBER_URLS } from '../../../contract/telephony/telephony-options.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { findConnection } from '../connections/connections.ts'
import { findProject } from '../projects/projects/find.ts'
import { findNumber, listAll, type PhoneNumber, parseNumber } from './find-number.ts'

interface Options {
  server?: string
  json?: boolean
}

interface ImportOptions extends Options {
  connection?: string
  label?: string
  project?: string
  configure: boolean
}

export function addNumberCommands(telephony: Command, environment: CliEnvironment): void {
  const numbers = telephony
    .command('numbers')
    .description('List, import, check and repair phone numbers')
    .exitOverride()
  command(numbers, 'ls', 'List phone numbers', { isDefault: true }).action((options) =>
    listNumbers(options, environment),
  )
  command(numbers, 'import <number>', 'Import a number from your carrier account')
    .option('--connection <connection>', 'connection to the carrier (default: the oldest)')
    .option('--label <label>', 'label, such as Support')
    .option('--project <project>', 'project for its sessions and files (slug, id or name)')
    .option('--no-configure', 'don’t set the number’s URLs at the carrier')
    .action((number, options) => importNumber(number, options, environment))
  command(numbers, 'check <number>', 'Show where the carrier sends calls and messages').action(
    (ref, options) => checkNumber(ref, 'check', options, environment),
  )
  command(numbers, 'repair <number>', 'Set a number’s URLs at the carrier again').action((ref, options) =>
    checkNumber(ref, 'repair', options, environment),
  )
}

async function listNumbers(options: Options, environment: CliEnvironment): Promise<void> {
  const items = await listAll(await connect(options.server, environment))
  if (options.json) return printData({ items })
  if (items.length === 0)
    return printMessage('No numbers. Import one with `npx atrium telephony numbers import +49…`.')
  printNumbers(items)
}

export const printNumbers = (items: PhoneNumber[]) =>
  printTable([['NUMBER', 'LABEL', 'STATUS', 'CAPABILITIES', 'PROJECT', 'ID'], ...items.map(rowOf)])

const rowOf = (number: PhoneNumber): string[] => [
  sanitize(number.e164),
  sanitize(number.label ?? '-'),
  number.statusReason ? `${number.status}: ${sanitize(number.statusReason)}` : number.status,
  (['voice', 'sms', 'mms'] as const).filter((each) => number.capabilities[each]).join(', '),
  sanitize(number.projectName ?? '-'),
  number.id,
]

async function importNumber(
  text: string,
  options: ImportOptions,
  environment: CliEnvironment,
): Promise<void> {
  const phoneNumber = parseNumber(text)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const connectionId = options.connection && (await findConnection(connection, options.connection)).id
  const projectId = options.project && (await findProject(connection, options.project)).id
  const call = client.phoneNumbers.import({
    provider: 'twilio',
    phoneNumber,
    connectionId,
    projectId,
    label: options.label,
    configureWebhooks: options.configure,
  })
  const number = await parseResponse(server, phoneNumbers.import, call)
  if (options.json) return printData(number)
  print(number.id)
  printMessage(`Imported ${number.e164}. Choose who answers it: ${server}/phone/routing`)
}

/** Fails if the carrier's URLs don't point to this server. */
async function checkNumber(
  ref: string,
  action: 'check' | 'repair',
  options: Options,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { id } = await findNumber(connection, ref)
  const number = await parseResponse(server, phoneNumbers[action], client.phoneNumbers[action]({ id }))
  if (options.json) printData(number)
  else
    printTable([
      ['FOR', 'STATE', 'EXPECTED', 'ACTUAL'],
      ...NUMBER_URLS.map((name) => {
        const { state, url, actual } = number.webhooks[name]
        return [name, state, sanitize(url), sanitize(actual ?? '-')]
      }),
    ])
  if (number.status !== 'active')
    throw new Failure(
      'failed',
      `${number.e164}: ${number.statusReason ?? number.status}`,
      action === 'check' ? `Run \`npx atrium telephony numbers repair ${number.e164}\`.` : undefined,
    )
}
