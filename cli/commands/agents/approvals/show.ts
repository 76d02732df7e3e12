import { approvals } from '../../../../contract/agents/approvals.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, sanitize, sanitizeLines, style } from '../../../terminal.ts'
import { requireId } from '../runs/find.ts'
import { timeText } from '../runs/labels.ts'
import { runUrl } from '../runs/urls.ts'

interface ShowOptions {
  server?: string
  json?: boolean
}

export type Approval = OutputOf<typeof approvals.get>

export async function showApproval(
  ref: string,
  options: ShowOptions,
  environment: CliEnvironment,
): Promise<void> {
  const id = requireId(ref, 'approval', 'approvals ls')
  const { server, client } = await connect(options.server, environment)
  const approval = await parseResponse(server, approvals.get, client.approvals.get({ id }))
  if (options.json) return printData(approval)
  print(style('bold', sanitizeLines(approval.summary), process.stdout))
  for (const [label, value] of rowsOf(server, approval)) print(`  ${label.padEnd(11)}${sanitize(value)}`)
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
