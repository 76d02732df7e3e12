import type { Fragment, Sql } from '../../../database/database.ts'
import { claimFairly, inTurns, type Queue } from '../../../jobs/claim-fairly.ts'
import type { Failure, PaymentRow } from './records.ts'
import { nextInquiry } from './timing.ts'

/** For the payment `p`. */
const columns = (sql: Sql): Fragment => sql`
  p.org_id as "orgId", p.id, p.status, p.amount, p.currency, p.reason, p.payee, p.method, p.provider,
  p.provider_reference as "providerReference", p.receipt, p.metadata, p.project_id as "projectId", p.run_id as "runId",
  p.agent_id as "agentId", p.key_id as "keyId", p.created_by as "createdBy", p.mandate_id as "mandateId",
  p.counted_on::text as "countedOn", p.approval_id as "approvalId", p.failure_code as "failureCode",
  p.failure_message as "failureMessage", p.refund_status as "refundStatus", p.refund_reference as "refundReference",
  p.refund_by as "refundBy", p.refund_at as "refundAt", p.refund_failure as "refundFailure", p.inquiries,
  p.created_at as "createdAt", p.settled_at as "settledAt", (
    select json_build_object('reason', a.reason, 'message', a.message, 'requestedAt', a.requested_at,
      'expiresAt', a.expires_at, 'decision', a.decision, 'decidedBy', a.decided_by, 'decidedAt', a.decided_at,
      'note', a.note)
    from payment_approvals a where a.org_id = p.org_id and a.payment_id = p.id) as approval`

export async function findPayment(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<PaymentRow[]>`
    select ${columns(sql)} from machine_payments p where p.org_id = ${orgId} and p.id = ${id}`
  return row ?? null
}

export async function lockPayment(sql: Sql, orgId: string, id: string) {
  const [row] = await sql<PaymentRow[]>`
    select ${columns(sql)} from machine_payments p where p.org_id = ${orgId} and p.id = ${id} for update of p`
  return row ?? null
}

/** Same-key requests wait for each other, so that only one creates the payment. */
export async function findByKey(sql: Sql, orgId: string, key: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${orgId} ${key}`}, 0))`
  const [row] = await sql<(PaymentRow & { requestHash: Buffer })[]>`
    select ${columns(sql)}, p.request_hash as "requestHash" from machine_payments p
    where p.org_id = ${orgId} and p.idempotency_key = ${key}`
  return row ?? null
}

interface PaymentFilter {
  status?: string | undefined
  projectId?: string | undefined
  runId?: string | undefined
  mandateId?: string | undefined
}

/** Newest first. */
export const listPayments = (
  sql: Sql,
  orgId: string,
  { status, projectId, runId, mandateId }: PaymentFilter,
  { before, limit }: { before: string | null; limit: number },
) => sql<PaymentRow[]>`
  select ${columns(sql)} from machine_payments p
  where p.org_id = ${orgId}
    ${status ? sql`and p.status = ${status}` : sql``}
    ${projectId ? sql`and p.project_id = ${projectId}` : sql``}
    ${runId ? sql`and p.run_id = ${runId}` : sql``}
    ${mandateId ? sql`and p.mandate_id = ${mandateId}` : sql``}
    ${before ? sql`and p.id < ${before}` : sql``}
  order by p.id desc limit ${limit}`

/** Counts at most a hundred. */
export async function countWaiting(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select ${waitingPaymentCount(sql, orgId)} as count`
  return row!.count
}

/** At most a hundred. */
export const waitingPaymentCount = (sql: Sql, orgId: string): Fragment => sql`(
  select count(*)::int from (
    select from machine_payments where org_id = ${orgId} and status = 'requires_approval' limit 100) waiting)`

type NewPayment = Pick<
  PaymentRow,
  | 'orgId'
  | 'id'
  | 'status'
  | 'amount'
  | 'currency'
  | 'reason'
  | 'payee'
  | 'method'
  | 'provider'
  | 'metadata'
  | 'projectId'
  | 'runId'
  | 'agentId'
  | 'keyId'
  | 'createdBy'
  | 'mandateId'
  | 'countedOn'
  | 'approvalId'
  | 'failureCode'
  | 'failureMessage'
> & { idempotencyKey: string; requestHash: Buffer; dueAt: Date | null; settledAt: Date | null; now: Date }

export const insertPayment = (sql: Sql, payment: NewPayment) => sql`
  insert into machine_payments (org_id, id, idempotency_key, request_hash, status, amount, currency, reason, payee, method,
    provider, metadata, project_id, run_id, agent_id, key_id, created_by, mandate_id, counted_on, approval_id, failure_code,
    failure_message, due_at, created_at, settled_at)
  values (${payment.orgId}, ${payment.id}, ${payment.idempotencyKey}, ${payment.requestHash}, ${payment.status}, ${payment.amount}, ${payment.currency},
    ${payment.reason}, ${sql.json(payment.payee as never)}, ${payment.method}, ${payment.provider}, ${sql.json(payment.metadata as never)},
    ${payment.projectId}, ${payment.runId}, ${payment.agentId}, ${payment.keyId}, ${payment.createdBy}, ${payment.mandateId}, ${payment.countedOn},
    ${payment.approvalId}, ${payment.failureCode}, ${payment.failureMessage}, ${payment.dueAt}, ${payment.now}, ${payment.settledAt})`

interface PaymentChange {
  status: PaymentRow['status']
  provider?: 'stripe' | null
  providerReference?: string | null
  receipt?: PaymentRow['receipt']
  failure?: { code: string; message: string } | null
  dueAt?: Date | null
  settledAt?: Date | null
}

/** Absent fields stay as they are, except `dueAt`, which becomes null. */
export const updatePayment = (sql: Sql, orgId: string, id: string, change: PaymentChange) => sql`
  update machine_payments set status = ${change.status}, due_at = ${change.dueAt ?? null}
    ${change.provider === undefined ? sql`` : sql`, provider = ${change.provider}`}
    ${change.providerReference ? sql`, provider_reference = ${change.providerReference}` : sql``}
    ${change.receipt ? sql`, receipt = ${sql.json(change.receipt)}` : sql``}
    ${change.failure ? sql`, failure_code = ${change.failure.code}, failure_message = ${change.failure.message}` : sql``}
    ${change.settledAt ? sql`, settled_at = ${change.settledAt}` : sql``}
  where org_id = ${orgId} and id = ${id}`

const INQUIRIES_QUEUE: Queue = { table: 'machine_payments', key: ['id'], indexedBy: 'due' }

/** No two processes ask about the same payment. */
export async function claimDue(
  sql: Sql,
  { now, limit }: { now: Date; limit: number },
): Promise<PaymentRow[]> {
  const leasedUntil = nextInquiry(now, 0)
  const claimed = await claimFairly<{ orgId: string; id: string }>(
    sql,
    INQUIRIES_QUEUE,
    inTurns({ now, limit, leasedUntil }),
    {
      lease: sql`inquiries = t.inquiries + 1, due_at = ${leasedUntil}`,
      returning: sql`t.org_id as "orgId", t.id`,
    },
  )
  const rows = await Promise.all(claimed.map(({ orgId, id }) => findPayment(sql, orgId, id)))
  return rows.flatMap((row) => row ?? [])
}

export const startRefund = (sql: Sql, orgId: string, id: string, by: string, dueAt: Date, now: Date) => sql`
  update machine_payments set refund_status = 'processing', refund_by = ${by}, refund_at = ${now}, refund_failure = null,
    refund_reference = null, due_at = ${dueAt}, inquiries = 0
  where org_id = ${orgId} and id = ${id}`

export const updateRefund = (
  sql: Sql,
  orgId: string,
  id: string,
  change: {
    status: 'processing' | 'succeeded' | 'failed'
    reference: string | null
    failure: Failure | null
  },
) => sql`
  update machine_payments set refund_status = ${change.status},
    refund_reference = coalesce(${change.reference}, refund_reference), refund_failure = ${sql.json(change.failure as never)}
  where org_id = ${orgId} and id = ${id}`
