import type { Fragment, Sql } from '../../../database/database.ts'

/**
 * Releases all leases when the only process on the database starts: every lease belongs to a killed process.
 * Deliveries that wait for a scheduled retry are not leased, and stay as they are.
 */
export async function releaseOrphanedDeliveries(sql: Sql, now: Date): Promise<void> {
  await sql`
    update deliveries d set next_attempt_at = ${now}
    where d.status in ('pending', 'retrying') and d.next_attempt_at > ${now} and ${isLeased(sql)}`
}

/** Whether the last attempt was begun and has no recorded result. */
export const isLeased = (sql: Sql): Fragment => sql`d.attempt > 0 and not exists (
  select from delivery_attempts a where a.org_id = d.org_id and a.delivery_id = d.id and a.attempt = d.attempt)`
