import type { ApprovalReason } from '../../../../contract/billing/payment-options.ts'
import type { Sql } from '../../../database/database.ts'

/** An undecided payment counts as denied after a day. */
const APPROVAL_HOURS = 24

export interface ApprovalRequest {
  reason: ApprovalReason
  message: string
}

export const insertApproval = (
  sql: Sql,
  orgId: string,
  { id, paymentId, reason, message, now }: ApprovalRequest & { id: string; paymentId: string; now: Date },
) => sql`
  insert into payment_approvals (org_id, id, payment_id, reason, message, requested_at, expires_at)
  values (${orgId}, ${id}, ${paymentId}, ${reason}, ${message}, ${now},
    ${new Date(now.getTime() + APPROVAL_HOURS * 3_600_000)})`

export interface PaymentDecision {
  decision: 'approved' | 'denied' | 'expired'
  by: string | null
  note: string | null
}

export const updateDecision = (
  sql: Sql,
  orgId: string,
  paymentId: string,
  { decision, by, note }: PaymentDecision,
  now: Date,
) => sql`
  update payment_approvals set decision = ${decision}, decided_by = ${by}, decided_at = ${now}, note = ${note}
  where org_id = ${orgId} and payment_id = ${paymentId} and decision is null`

/** Across all organizations. */
export const listExpired = (sql: Sql, now: Date, limit: number) => sql<{ orgId: string; id: string }[]>`
  select org_id as "orgId", payment_id as id from payment_approvals
  where decision is null and expires_at <= ${now} order by expires_at limit ${limit}`

/** Owners and admins only, for exactly this call. */
export async function findCallApproval(
  sql: Sql,
  orgId: string,
  runId: string,
  idempotencyKey: string,
): Promise<string | null> {
  const [, step, ordinal] = /^[^:]+:([0-9]{1,9}):([0-9]{1,9})$/.exec(idempotencyKey) ?? []
  if (step === undefined || ordinal === undefined) return null
  const [row] = await sql<{ id: string }[]>`
    select a.id from approvals a
    join run_calls c on c.org_id = a.org_id and c.run_id = a.run_id and c.approval_id = a.id
    join memberships m on m.org_id = a.org_id and m.user_id = a.decided_by and m.role in ('owner', 'admin')
    where a.org_id = ${orgId} and a.run_id = ${runId} and a.step = ${Number(step)} and a.ordinal = ${Number(ordinal)}
      and a.kind = 'approval' and a.tool = 'make_payment' and a.decision = 'approved'`
  return row?.id ?? null
}
