import { NOTIFICATION_LIMITS } from '../../../../contract/comments/notification-options.ts'
import type { Sql } from '../../../database/database.ts'

const DAY_MS = 86_400_000

/** Deletes at most `limit` old notifications. Returns how many. */
export async function deleteOld(sql: Sql, now: Date, limit: number): Promise<number> {
  const until = new Date(now.getTime() - NOTIFICATION_LIMITS.days * DAY_MS)
  const { count } = await sql`
    delete from notifications where ctid = any(array(
      select ctid from notifications where created_at < ${until} order by created_at limit ${limit}))`
  return count
}

/** Deletes all but the newest notifications of people who were notified since this time. */
export const deleteBeyond = (sql: Sql, since: Date) => sql`
  delete from notifications n using (
    select r.org_id, r.user_id, (
      select o.id from notifications o where o.org_id = r.org_id and o.user_id = r.user_id
      order by o.id desc offset ${NOTIFICATION_LIMITS.perPerson} limit 1) as from_id
    from (select distinct org_id, user_id from notifications where created_at >= ${since}) r
  ) b
  where n.org_id = b.org_id and n.user_id = b.user_id and n.id <= b.from_id`
