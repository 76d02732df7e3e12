import type { Command } from 'commander'
import { machinePayments } from '../../../contract/billing/machine-payments.ts'
import { PAYMENT_STATUSES } from '../../../contract/billing/payment-options.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { command } from '../../command.ts'
import type { CliEnvironment } from '../../config.ts'
import { connect, parseResponse } from '../../connect.ts'
import { parseChoice } from '../../parse.ts'
import { print, printData, printMessage, printTable, sanitize, style } from '../../terminal.ts'
import { requireId } from '../agents/runs/find.ts'
import { shorten, timeText } from '../agents/runs/labels.ts'

const HELP = `
Payments require an API key with the scope billing:machine:charge, which signing in doesn’t grant: set ATRIUM_API_KEY.
Owners and admins approve payments and set mandates in the browser.

Examples:
  npx atrium payments ls --status requires_approval
  npx atrium payments show 0199…                  with its timeline
`

export function addPaymentCommands(program: Command, environment: CliEnvironment): void {
  const payments = program
    .command('payments')
    .description('List machine payments and show one')
    .addHelpText('after', HELP)
    .exitOverride()
  command(payments, 'ls', 'List machine payments, newest first')
    .option('--status <status>', 'only payments with this status')
    .option('--run <run>', 'only payments in this run (id)')
    .option('--limit <number>', 'number of payments, 1 to 100', '50')
    .action((options) => listPayments(options, environment))
  command(payments, 'show <payment>', 'Show a machine payment with its timeline').action((ref, options) =>
    showPayment(ref, options, environment),
  )
}

interface ListOptions {
  server?: string
  json?: boolean
  status?: string
  run?: string
  limit: string
}

const REASON_COLUMNS = 40

async function listPayments(options: ListOptions, environment: CliEnvironment): Promise<void> {
  const status = parseChoice('status', PAYMENT_STATUSES, options.status)
  const runId = options.run && requireId(options.run, 'run', 'runs ls')
  const { server, client } = await connect(options.server, environment)
  const list = client.machinePayments.list({ status, runId, limit: options.limit })
  const { items, nextCursor, waitingCount } = await parseResponse(server, machinePayments.list, list)
  if (options.json) return printData({ items, nextCursor, waitingCount })
  if (items.length === 0) return printMessage('No payments match')
  const rows = items.map(({ id, status: state, amount, currency, reason, payee, createdAt }) => [
    ...[id, state, `${amount} ${currency}`, shorten(payee?.name ?? '-', REASON_COLUMNS)],
    ...[shorten(reason, REASON_COLUMNS), timeText(createdAt)],
  ])
  printTable([['ID', 'STATUS', 'AMOUNT', 'PAYEE', 'REASON', 'CREATED'], ...rows])
  if (waitingCount > 0 && status !== 'requires_approval')
    printMessage(
      `${waitingCount} waiting for approval: ${server}/settings/organization/payments?show=requires_approval`,
    )
  if (nextCursor) printMessage('There are more. Use --limit or --status.')
}

interface ShowOptions {
  server?: string
  json?: boolean
}

type Payment = OutputOf<typeof machinePayments.get>

async function showPayment(ref: string, options: ShowOptions, environment: CliEnvironment): Promise<void> {
  const id = requireId(ref, 'payment', 'payments ls')
  const { server, client } = await connect(options.server, environment)
  const payment = await parseResponse(server, machinePayments.get, client.machinePayments.get({ id }))
  if (options.json) return printData(payment)
  const { amount, currency, status, reason } = payment
  print(style('bold', `${amount} ${currency}  ${status}`, process.stdout))
  print(`  ${sanitize(reason)}`)
  for (const [label, value] of rowsOf(server, payment)) print(`  ${label.padEnd(11)}${sanitize(value)}`)
  for (const { at, text, userName } of payment.timeline)
    print(`  ${timeText(at)}  ${sanitize(text)}${userName ? ` (${sanitize(userName)})` : ''}`)
}

function rowsOf(server: string, payment: Payment): [label: string, value: string][] {
  const { id, payee, method, providerReference, receipt, runId, mandateId, failure, refund } = payment
  const rows: [string, string | null | undefined][] = [
    ['payee', payee && [payee.name, payee.account ?? payee.url].filter(Boolean).join(', ')],
    ['method', method],
    ['provider', providerReference],
    ['receipt', receipt?.url],
    ['run', runId],
    ['mandate', mandateId],
    ['failure', failure && `${failure.code}: ${failure.message}`],
    ['refund', refund?.status],
    [
      'decide',
      payment.status === 'requires_approval' ? `${server}/settings/organization/payments/${id}` : null,
    ],
  ]
  return rows.filter((row): row is [string, string] => Boolean(row[1]))
}
