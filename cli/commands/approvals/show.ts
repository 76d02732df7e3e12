import { approvals } from '../../../contract/agents/approvals.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Connection, connect, parseResponse } from '../../connect.ts'
import { Failure } from '../../failure.ts'
import { requireId } from '../../runs/find.ts'
import { timeText } from '../../runs/labels.ts'
import { runUrl } from '../../runs/urls.ts'
import { print, printData, sanitize, sanitizeLines, style } from '../../terminal.ts'

interface ShowOptions {
  server?: string
  json?: boolean
}

export type Approval = OutputOf<typeof approvals.list>['items'][number]

const PAGES_MAX = 20

export async function showApproval(
  ref: string,
  options: ShowOptions,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'approval', 'approvals ls').toLowerCase()
  const connection = await connect(options.server, environment)
  const approval =
    (await findIn(connection, id, 'false')) ?? (await findIn(connection, id, 'true')) ?? notFound(id)
  if (options.json) return printData(approval)
  print(style('bold', sanitizeLines(approval.summary), process.stdout))
  for (const [label, value] of rowsOf(connection.server, approval))
    print(`  ${label.padEnd(11)}${sanitize(value)}`)
  print('  input')
  print(sanitizeLines(JSON.stringify(approval.input, null, 2) ?? '').replaceAll(/^/gm, '    '))
}

function rowsOf(server: string, approval: Approval): [label: string, value: string][] {
  const { tool, risk, requestedAt, expiresAt, decision, decidedAt, decidedByName, note, requiresStepUp } =
    approval
  const rows: [string, string][] = [
    ['agent', `${approval.agentName} in ${approval.projectName}`],
    ['tool', risk === 'none' ? tool : `${tool} (${risk})`],
    ['requested', timeText(requestedAt)],
    ['run', approval.runId],
  ]
  if (decision)
    rows.push([
      'decision',
      `${decision}${decidedAt ? ` ${timeText(decidedAt)}` : ''}${decidedByName ? ` by ${decidedByName}` : ''}`,
    ])
  else rows.push(['expires', `${timeText(expiresAt)}, then it counts as denied`])
  if (!decision)
    rows.push(['decide', runUrl(server, approval.runId) + (requiresStepUp ? ' (with step-up)' : '')])
  if (note) rows.push(['note', note])
  return rows
}

async function findIn(
  { server, client }: Connection,
  id: string,
  decided: 'true' | 'false',
): Promise<Approval | undefined> {
  let cursor: string | undefined
  for (let count = 0; count < PAGES_MAX; count++) {
    const list = client.approvals.list({ decided, limit: 100, cursor })
    const page = await parseResponse(server, approvals.list, list)
    const found = page.items.find((approval) => approval.id === id)
    if (found || !page.nextCursor) return found
    cursor = page.nextCursor
  }
  return undefined
}

function notFound(id: string): never {
  throw new Failure('failed', `Approval ${id} not found`, 'Run `npx atrium approvals ls` to list them.')
}
