import { approvals } from '../../../contract/agents/approvals.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { findProject } from '../../projects/find.ts'
import { findRun } from '../../runs/find.ts'
import { shorten, timeText } from '../../runs/labels.ts'
import { runUrl } from '../../runs/urls.ts'
import { print, printData, printMessage, sanitize, style } from '../../terminal.ts'
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

/** Open approvals with the URL that decides them, or the decided ones. */
export async function listApprovals(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const connection = await connect(options.server, environment)
  const { server, client } = connection
  const projectId = options.project && (await findProject(connection, options.project)).id
  const runId = options.run && (await findRun(connection, options.run)).id
  const decided = options.decided ? ('true' as const) : ('false' as const)
  const list = client.approvals.list({ decided, projectId, runId, limit: options.limit })
  const { items, nextCursor, openCount } = await parseResponse(server, approvals.list, list)
  if (options.json) return printData({ items, nextCursor, openCount })
  if (items.length === 0)
    return printMessage(options.decided ? 'No decided approvals match' : 'Nothing to decide')
  for (const approval of items) printOne(server, approval)
  if (nextCursor) printMessage('There are more: use --limit, --run or --project.')
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
