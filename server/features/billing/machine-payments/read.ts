import type { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import { dictionary } from '../../../../contract/dictionary.ts'
import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound, raise } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { type AttemptRow, listAttempts } from './attempt-queries.ts'
import { countWaiting, findPayment, listPayments } from './payment-queries.ts'
import { type PaymentRow, presentPayment } from './records.ts'

export async function listMachinePayments(
  ctx: Context<'vault'>,
  { limit, cursor, ...query }: InputOf<typeof machinePayments.list>,
) {
  const { orgId } = ctx.caller
  const projectId = query.projectId === undefined ? undefined : (await findProject(ctx, query.projectId)).id
  const filter = { ...query, projectId }
  const name = `machine-payments ${orgId} ${JSON.stringify(filter)}`
  const position = { before: decodeCursor(ctx.vault, name, cursor), limit: limit + 1 }
  const [rows, waitingCount] = await Promise.all([
    listPayments(ctx.sql, orgId, filter, position),
    countWaiting(ctx.sql, orgId),
  ])
  return { ...cursorPage(ctx.vault, name, limit, rows, presentPayment), waitingCount }
}

export async function getMachinePayment(ctx: Context, { id }: InputOf<typeof machinePayments.get>) {
  const row = (await findPayment(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Machine payment'))
  return { ...presentPayment(row), timeline: await timelineOf(ctx.sql, row) }
}

type Entry = OutputOf<typeof machinePayments.get>['timeline'][number]
type Step = Omit<Entry, 'userName'>

async function timelineOf(sql: Sql, payment: PaymentRow): Promise<Entry[]> {
  const attempts = await listAttempts(sql, payment.orgId, payment.id)
  const steps = [...approvalSteps(payment), ...attempts.flatMap((attempt) => attemptSteps(attempt, payment))]
  if (payment.status === 'recorded')
    steps.push(step(payment.settledAt!, 'settled', 'Recorded: no provider is configured, so no money moved'))
  if (payment.failureCode === 'budget_reached')
    steps.push(step(payment.settledAt!, 'settled', payment.failureMessage!))
  const created = step(
    payment.createdAt,
    'created',
    payment.runId ? 'A run requested the payment' : 'Created',
    payment.createdBy,
  )
  const sorted = [created, ...steps].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const names = await namesOf(
    sql,
    sorted.flatMap(({ userId }) => userId ?? []),
  )
  return sorted.map((entry) => ({ ...entry, userName: entry.userId && (names.get(entry.userId) ?? null) }))
}

function approvalSteps({ approval }: PaymentRow): Step[] {
  if (!approval) return []
  const request = step(
    approval.requestedAt,
    'approval_requested',
    `Waiting for approval: ${approval.message}`,
  )
  if (approval.decision === null) return [request]
  const { decision, decidedAt, decidedBy, note } = approval
  const text =
    note ?? { approved: 'Approved', denied: 'Denied', expired: 'Not decided within 24 hours' }[decision]
  return [request, step(decidedAt!, decision, text, decidedBy)]
}

const REQUEST_STEPS = {
  charge: ['charge_sent', 'Charge sent to Stripe'],
  inquiry: ['inquiry_sent', 'Requested the result from Stripe'],
  refund: ['refund_sent', 'Refund sent to Stripe'],
} as const

function attemptSteps({ kind, startedAt, endedAt, outcome, message }: AttemptRow, row: PaymentRow): Step[] {
  const [type, text] = REQUEST_STEPS[kind]
  const requestStep = step(startedAt, type, text, kind === 'refund' ? row.refundBy : null)
  if (outcome === null) return [requestStep]
  return [
    requestStep,
    step(endedAt!, 'answered', message ? `${OUTCOMES[outcome]}: ${message}` : OUTCOMES[outcome]!),
  ]
}

const OUTCOMES: Record<string, string> = dictionary({
  succeeded: 'Stripe charged the payment method',
  processing: 'Stripe is processing the payment',
  failed: 'Failed',
  unknown: 'The result is not known',
  refunded: 'Stripe returned the amount',
})

const step = (at: string, type: Entry['type'], text: string, userId: string | null = null): Step => ({
  at: new Date(at).toISOString(),
  type,
  text,
  userId,
})

async function namesOf(sql: Sql, ids: string[]): Promise<Map<string, string>> {
  const rows = await sql<
    { id: string; name: string }[]
  >`select id, name from users where id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, name }) => [id, name]))
}
