import { routing } from '../../../contract/telephony/routing.ts'
import { RULE_CHANNELS } from '../../../contract/telephony/telephony-options.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { parseChoice } from '../../parse-choice.ts'
import { parseTime } from '../../parse-time.ts'
import { print, printData, printTable, sanitize } from '../../terminal.ts'
import { findNumber, parseNumber } from './find-number.ts'
import { actionText, readNames } from './routing.ts'

interface TryOptions {
  server?: string
  json?: boolean
  from: string
  to: string
  at?: string
  channel?: string
  text?: string
}

const CHANNELS = RULE_CHANNELS.filter((channel) => channel !== 'both')

/** Prints for each checked rule whether it answers and why, then the action that follows. */
export async function tryRouting(options: TryOptions, environment: CliEnvironment): Promise<void> {
  const from = parseNumber(options.from)
  const channel = parseChoice('channel', CHANNELS, options.channel)
  const at = options.at && parseTime('--at', options.at)
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const { e164: to } = await findNumber(connection, options.to)
  const call = client.routing.try({ from, to, at, channel, text: options.text })
  const result = await parseResponse(server, routing.try, call)
  if (options.json) return printData(result)
  const { checked, rule, action, usesFallback, because } = result
  if (checked.length > 0) {
    const rows = checked.map(({ name, answers, explanation }, index) => [
      String(index + 1),
      sanitize(name),
      answers ? 'answers' : 'does not answer',
      sanitize(explanation),
    ])
    printTable([['#', 'RULE', 'RESULT', 'REASON'], ...rows])
    print()
  }
  const name = rule ? `${rule.name}${usesFallback ? ' (its fallback)' : ''}` : 'The default'
  print(`${sanitize(name)}: ${actionText(action, await readNames(connection))}`)
  print(sanitize(because))
}
