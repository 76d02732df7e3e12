import type { Command } from 'commander'
import { approvals } from '../../../contract/agents/approvals.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { command, LIMIT_DEFAULT, parseLimit } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { print, printData, printMessage, sanitize, sanitizeLines, style } from '../../terminal.ts'
import { findProject } from '../projects/projects/find.ts'
import { findRun, requireId, runUrl } from './runs/find.ts'
import { shorten, timeText } from './runs/labels.ts'

const HELP = `
You decide approvals in the browser, so no API key can approve an agent’s call. To answer an agent’s question, you can
also send a message in its session. Machine payments that need an owner or admin to approve them are only counted here;
"atrium payments" lists them if your key has the scope billing:machine:charge.

Examples:
  npx atrium approvals ls                         open approvals, each with its URL
  npx atrium approvals ls --decided --run 0199…   a run’s decisions
  npx atrium approvals show 0199…                 the call’s exact input
`

export function addApprovalCommands(program: Command, environment: CliEnvironment): void {
  const approvals = program
    .command('approvals')
    .description('List and show pending approvals and agent questions')
    .addHelpText('after', HELP)
    .exitOverride()
  command(approvals, 'ls', 'List open approvals, newest first')
    .option('--decided', 'list decided approvals instead')
    .option('--project <project>', 'only approvals in this project (slug, id or name)')
    .option('--run <run>', 'only approvals in this run')
    .option('--limit <count>', 'number of approvals, 1 to 100', parseLimit, LIMIT_DEFAULT)
    .action((options) => listApprovals(options, environment))
  command(approvals, 'show <approval>', 'Show an approval with the call’s exact input').action(
    (ref, options) => showApproval(ref, options, environment),
  )
}

interface ListOptions {
  server?: string
  json?: boolean
  decided?: boolean
  project?: string
  run?: string
  limit: number
}

const SUMMARY_COLUMNS = 100

async function listApprovals(options: ListOptions, environment: CliEnvironment): Promise<void> {
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
  if (nextCursor) printMessage('There are more. Use --limit, --run or --project.')
}

function printExpired(server: string, count: number): void {
  const text = count === 1 ? 'A connection has' : `${count} connections have`
  print(style('bold', `${text} to be authorized again`, process.stdout))
  print(`  ${server}/integrations`)
}

/** Prints only a count: the key `atrium login` stores has no scope to read payments. */
function printPayments(server: string, count: number): void {
  const wait =
    count === 1
      ? 'A machine payment is waiting'
      : `${count >= 100 ? '99+' : count} machine payments are waiting`
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
  print(`  ${canDecide ? runUrl(server, approval.runId) : 'You can only view this project'}`)
}

interface ShowOptions {
  server?: string
  json?: boolean
}

type Approval = OutputOf<typeof approvals.get>

async function showApproval(ref: string, options: ShowOptions, environment: CliEnvironment): Promise<void> {
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
