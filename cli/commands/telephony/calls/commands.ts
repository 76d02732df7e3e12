import type { Command } from 'commander'
import { command, LIMIT_DEFAULT, parseLimit } from '../../../command.ts'
import type { CliEnvironment } from '../../../config.ts'
import { hangUp, transferCall } from './control.ts'
import { listCalls } from './list.ts'
import { makeCall } from './make.ts'
import { showCall } from './show.ts'

/** Adds `atrium telephony calls`. */
export function addCallCommands(telephony: Command, environment: CliEnvironment): void {
  const calls = telephony
    .command('calls')
    .description('List, show, make, transfer and end calls')
    .exitOverride()
  command(calls, 'ls', 'List calls, newest first', { isDefault: true })
    .option('--open', 'calls that have not ended')
    .option('--direction <direction>', 'inbound or outbound')
    .option('--status <status>', 'calls with this status, such as completed or no_answer')
    .option('--number <number>', 'calls of this number of the organization (number, id or label)')
    .option('--peer <number>', 'calls with this number of the other side')
    .option('--agent <agent>', 'calls of this agent (id or name)')
    .option('--project <project>', 'calls of this project (slug, id or name)')
    .option('--since <time>', 'calls since a time, or since 90m, 24h or 7d ago')
    .option('--limit <count>', 'calls to list, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listCalls(options, environment))
  command(calls, 'show <call>', 'Show a call with its timeline').action((ref, options) =>
    showCall(ref, options, environment),
  )
  command(calls, 'make <number>', 'Call a person: an agent speaks, or a message is read out')
    .option('--agent <agent>', 'the agent that speaks (id or name)')
    .option('--task <text>', 'the task of the agent')
    .option('--message <text>', 'the message that is read out; with --agent, the first sentence of the agent')
    .option('--from <number>', 'the number of the organization that calls (default: the oldest)')
    .action((number, options) => makeCall(number, options, environment))
  command(calls, 'hangup <call>', 'End a call').action((ref, options) => hangUp(ref, options, environment))
  command(calls, 'transfer <call> <numbers...>', 'Connect the caller with the first number that answers')
    .option('--summary <text>', 'the summary that the person hears before the caller')
    .action((ref, numbers, options) => transferCall(ref, numbers, options, environment))
}
