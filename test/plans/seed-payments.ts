import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'
import { idOf, uuid } from './seed-tables.ts'

/** Payments of one project, run and mandate and of none, each with an approval. */
export async function seedPayments(sql: Sql, { owner, projectId, count }: World): Promise<void> {
  const { orgId, id: userId } = owner
  const from = sql`generate_series(1, ${count}::int) n`
  const statuses = ['recorded', 'failed', 'canceled', 'requires_approval']
  await sql`
    insert into mandates (org_id, id, holder, holder_id, currency, per_payment, total, payees, methods, day, created_by,
      created_at)
    select ${orgId}, ${uuid(sql, 'f')}, 'project', ${projectId}, 'usd', 1, 10, '{}', '{}', now(), ${userId}, now()
    from generate_series(1, 50) n`
  await sql`
    insert into machine_payments (org_id, id, idempotency_key, request_hash, status, amount, currency, reason, method,
      metadata, project_id, run_id, mandate_id, created_by, created_at)
    select ${orgId}, ${uuid(sql, 'e')}, n, int4send(n), (${statuses}::text[])[n % 4 + 1], 1, 'usd', 'Data', 'record', '{}',
      case when n % 3 = 0 then ${projectId}::uuid end, case when n % 50 = 0 then ${idOf('f', 1)}::uuid end,
      case when n % 2 = 0 then ${idOf('f', 1)}::uuid end, ${userId}, now() from ${from}`
  await sql`
    insert into payment_approvals (org_id, id, payment_id, reason, message, requested_at, expires_at)
    select ${orgId}, ${uuid(sql, 'e')}, ${uuid(sql, 'e')}, 'no_mandate', 'No mandate', now(), now() from ${from}`
}
