import type { Fragment, Sql } from '../../database/database.ts'

/** Whether somebody is at it: it was taken up, and nobody has said how that went. */
export const isInHand = (sql: Sql): Fragment => sql`d.attempt > 0 and not exists (
  select from delivery_attempts a where a.org_id = d.org_id and a.delivery_id = d.id and a.attempt = d.attempt)`
