import type { Fragment, Sql } from '../../../database/database.ts'

/**
 * For a process that is alone on its database: what is in hand was in the hands of a process that is gone, and is due
 * at once. It is told from what waits for its next attempt by its last one, of which nothing is known.
 */
export async function freeAllDeliveries(sql: Sql, now: Date): Promise<void> {
  await sql`
    update deliveries d set next_attempt_at = ${now}
    where d.status in ('pending', 'retrying') and d.next_attempt_at > ${now} and ${isInHand(sql)}`
}

/** Whether somebody is at it: it was taken up, and nobody has said how that went. */
export const isInHand = (sql: Sql): Fragment => sql`d.attempt > 0 and not exists (
  select from delivery_attempts a where a.org_id = d.org_id and a.delivery_id = d.id and a.attempt = d.attempt)`
