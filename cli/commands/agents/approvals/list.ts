import { approvals } from '../../../../contract/agents/approvals.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, printMessage, sanitize, style } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'
import { findRun } from '../runs/find.ts'
import { shorten, timeText } from '../runs/labels.ts'
import { runUrl } from '../runs/urls.ts'
import type { Approval } from './show.ts'

interface ListOptions {
  server?: string
  json?: boolean
  decided?: boolean
  project?: string
  run?: string
  limit: number
}

const SUMMARY_COLUMNS = 100

/** Lists open approvals, each with the URL where a person decides it, or the decided ones. */
export async function listApprovals(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const runId = options.run && (await findRun(connection, options.run)).id
  const decided = options.decided ? ('true' as const) : ('false' as const)
  const list = client.approvals.list({ decided, projectId, runId, limit: options.limit })
  const response = await parseResponse(server, approvals.list, list)
  if (options.json) return printData(response)
  const { items, nextCursor, waitingPayments, expiredConnections } = response
  const isInbox = !options.decided && !projectId && !runId
  if (isInbox && expiredConnections > 0) printExpired(server, expiredConnections)
  if (isInbox && waitingPayments > 0) printPayments(server, waitingPayments)
  else if (items.length === 0)
    return printMessage(options.decided ? 'No decided approvals match' : 'No open approvals')
  for (const approval of items) printOne(server, approval)
  if (nextCursor) printMessage('There are more: use --limit, --run or --project.')
}

function printExpired(server: string, count: number): void {
  const text = count === 1 ? 'A connection has' : `${count} connections have`
  print(style('bold', `${text} to be authorized again`, process.stdout))
  print(`  ${server}/connections`)
}

/** Prints only the number: the key that `atrium login` stores has no scope to read payments. */
function printPayments(server: string, count: number): void {
  const wait =
    count === 1 ? 'A machine payment waits' : `${count >= 100 ? '99+' : count} machine payments wait`
  print(style('bold', `${wait} for approval`, process.stdout))
  print(`  ${server}/approvals`)
}

function printOne(server: string, { id, tool, risk, kind, summary, ...approval }: Approval): void {
  const label =
    kind === 'input' ? 'question' : risk === 'none' ? sanitize(tool) : `${sanitize(tool)}, ${risk}`
  print(
    `${style('bold', shorten(summary, SUMMARY_COLUMNS), process.stdout)}  ${style('dim', label, process.stdout)}`,
  )
  const { decision, decidedAt, decidedByName, requestedAt, expiresAt, canDecide } = approval
  print(`  ${sanitize(approval.agentName)} in ${sanitize(approval.projectName)}`)
  if (decision) {
    const by = decidedByName ? ` by ${sanitize(decidedByName)}` : ''
    print(`  ${id}  ${decision} ${timeText(decidedAt ?? requestedAt)}${by}`)
    return
  }
  print(`  ${id}  requested ${timeText(requestedAt)}, expires ${timeText(expiresAt)}`)
  print(`  ${canDecide ? runUrl(server, approval.runId) : 'You have view-only access to its project'}`)
}
