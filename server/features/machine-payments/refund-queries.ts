import type { Sql } from '../../database/database.ts'
import type { Failure } from './records.ts'

export const startRefund = (sql: Sql, orgId: string, id: string, by: string, dueAt: Date, now: Date) => sql`
  update machine_payments set refund_status = 'processing', refund_by = ${by}, refund_at = ${now}, refund_failure = null,
    refund_reference = null, due_at = ${dueAt}, inquiries = 0
  where org_id = ${orgId} and id = ${id}`

export const finishRefund = (
  sql: Sql,
  orgId: string,
  id: string,
  end: { status: 'processing' | 'succeeded' | 'failed'; reference: string | null; failure: Failure | null },
) => sql`
  update machine_payments set refund_status = ${end.status},
    refund_reference = coalesce(${end.reference}, refund_reference), refund_failure = ${sql.json(end.failure as never)}
  where org_id = ${orgId} and id = ${id}`
