import type { Fragment, Sql } from '../../../database/database.ts'

/** Time during which an organization was suspended does not count for the limits of its runs and open approvals. */
export async function postponeDeadlines(sql: Sql, orgId: string, since: Date, until: Date): Promise<void> {
  const pauseAfter = (begin: Fragment) =>
    sql`greatest(interval '0', ${until}::timestamptz - greatest(${since}::timestamptz, ${begin}))`
  await sql`
    update runs set deadline_at = deadline_at + ${pauseAfter(sql`created_at`)}
    where org_id = ${orgId} and status in ('queued', 'running', 'waiting') and deadline_at is not null`
  await sql`
    update approvals set expires_at = expires_at + ${pauseAfter(sql`requested_at`)}
    where org_id = ${orgId} and decision is null`
}
