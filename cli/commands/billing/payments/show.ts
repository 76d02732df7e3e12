import { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { print, printData, sanitize, style } from '../../../terminal.ts'
import { requireId } from '../../agents/runs/find.ts'
import { timeText } from '../../agents/runs/labels.ts'

interface ShowOptions {
  server?: string
  json?: boolean
}

type Payment = OutputOf<typeof machinePayments.get>

export async function showPayment(
  ref: string,
  options: ShowOptions,
  environment: CliEnvironment,
): Promise<void> {
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
    ['decide', payment.status === 'requires_approval' ? `${server}/billing/payments/${id}` : null],
  ]
  return rows.filter((row): row is [string, string] => Boolean(row[1]))
}
