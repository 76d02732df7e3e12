import { calls } from '../../../../contract/telephony/calls.ts'
import { CALL_STATUSES, DIRECTIONS } from '../../../../contract/telephony/telephony-options.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { parseChoice } from '../../../parse-choice.ts'
import { parseTime } from '../../../parse-time.ts'
import { printData, printMessage, printTable, sanitize } from '../../../terminal.ts'
import { findAgent } from '../../agents/agents/find.ts'
import { costText, durationText, timeText } from '../../agents/runs/labels.ts'
import { findProject } from '../../projects/projects/find.ts'
import { findNumber, parseNumber } from '../find-number.ts'
import type { Call } from './find.ts'

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

export async function listCalls(options: ListOptions, environment: CliEnvironment): Promise<void> {
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
  if (nextCursor) printMessage('There are more: use --limit, --since or --project.')
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
  sanitize(call.from),
  sanitize(call.to),
  call.status,
  call.durationSeconds === null ? '-' : durationText(call.durationSeconds * 1000) || '0 s',
  call.cost ? callCostText(call.cost) : '-',
  sanitize(call.agentName ?? '-'),
]

/** Says `about` until the carrier reports its own amount. */
export const callCostText = (cost: NonNullable<Call['cost']>) =>
  cost.isEstimate ? `about ${costText(cost)}` : costText(cost)
