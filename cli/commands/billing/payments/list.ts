import { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import { PAYMENT_STATUSES } from '../../../../contract/billing/payment-options.ts'
import type { CliEnvironment } from '../../../config.ts'
import { connect, parseResponse } from '../../../connect.ts'
import { parseChoice } from '../../../parse-choice.ts'
import { printData, printMessage, printTable } from '../../../terminal.ts'
import { requireId } from '../../agents/runs/find.ts'
import { shorten, timeText } from '../../agents/runs/labels.ts'

interface ListOptions {
  server?: string
  json?: boolean
  status?: string
  run?: string
  limit: string
}

const REASON_COLUMNS = 40

export async function listPayments(options: ListOptions, environment: CliEnvironment): Promise<void> {
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
    printMessage(`${waitingCount} wait for approval: ${server}/billing/payments?show=requires_approval`)
  if (nextCursor) printMessage('There are more: use --limit or --status.')
}
