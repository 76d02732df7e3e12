import type { OutputOf } from '../../../contract/endpoint.ts'
import { routing } from '../../../contract/telephony/routing.ts'
import { RULE_CHANNELS } from '../../../contract/telephony/telephony-options.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { parseChoice, parseTime } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize } from '../../terminal.ts'
import { listAll as listAgents } from '../agents/agents/find.ts'
import { shorten } from '../agents/runs/labels.ts'
import { findNumber, listAll as listNumbers, parseNumber } from './find-number.ts'

type Rule = OutputOf<typeof routing.list>['items'][number]
type Action = Rule['action']

type Names = ReadonlyMap<string, string>

const TEXT_COLUMNS = 40

/** In the order they are tried. */
export async function listRules(
  options: { server?: string; json?: boolean },
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const list = await parseResponse(server, routing.list, client.routing.list())
  if (options.json) return printData(list)
  const names = await readNames(connection)
  const rows = list.items.map((rule, index) => [
    String(index + 1),
    shorten(rule.name, TEXT_COLUMNS),
    matchText(rule.match, names),
    actionText(rule.action, names),
    actionText(rule.fallback, names),
    sanitize(rule.runsAs.name),
    rule.enabled ? (rule.problem ? `problem: ${sanitize(rule.problem)}` : 'enabled') : 'disabled',
  ])
  if (rows.length > 0)
    printTable([['#', 'NAME', 'MATCHES', 'ACTION', 'FALLBACK', 'RUNS AS', 'STATE'], ...rows])
  else printMessage('No rules')
  print(`If no rule answers: ${actionText(list.default, names)}`)
  printMessage(`Edit rules in the dashboard: ${server}/phone/routing`)
}

async function readNames(connection: Connection): Promise<Names> {
  const [agents, numbers] = await Promise.all([listAgents(connection), listNumbers(connection)])
  return new Map([
    ...agents.map(({ id, name }) => [id, name] as const),
    ...numbers.map(({ id, e164, label }) => [id, label ?? e164] as const),
  ])
}

function matchText({ numberIds, channel, callerPrefix, contains, schedule }: Rule['match'], names: Names) {
  const parts = [
    channel === 'both' ? '' : channel,
    numberIds ? `to ${numberIds.map((id) => names.get(id) ?? id).join(', ')}` : '',
    callerPrefix ? `from ${callerPrefix}…` : '',
    contains ? `with "${contains}"` : '',
    schedule ? `${schedule.days.join(' ')} ${schedule.from}–${schedule.to} ${schedule.tz}` : '',
  ].filter(Boolean)
  return sanitize(parts.join('; ') || 'everything')
}

/** `agent Assistant`, `forward +4930123456` */
function actionText({ type, agentId, blockId, targets, record }: Action, names: Names): string {
  const object = {
    agent: agentId && (names.get(agentId) ?? agentId),
    workflow: blockId,
    forward: targets?.join(', '),
  }
  const text = [type, type in object && object[type as keyof typeof object]].filter(Boolean).join(' ')
  return sanitize(record ? `${text}, recorded` : text)
}

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
