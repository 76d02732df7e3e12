import type { Sql } from '../../../database/database.ts'
import type { Failure } from './records.ts'

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
