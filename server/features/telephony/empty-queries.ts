import type { Fragment, Sql } from '../../database/database.ts'

/**
 * Deletes what telephony stores of a purged project, a part at a time. The number is released: its row stays, because it has
 * the list of those who opted out of it, and so do the costs, which the organization has paid.
 */
export async function emptyTelephony(
  sql: Sql,
  orgId: string,
  projectId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<number> {
  const some = (table: Fragment) => sql`
    ctid = any(array(
      select ctid from ${table} where org_id = ${orgId} and project_id = ${projectId} limit ${limit}))`
  const statements = [
    () => sql`
      update phone_numbers set status = 'released', status_reason = null, released_at = ${now}, updated_at = ${now},
        label = null, settings = '{}', version = version + 1
      where org_id = ${orgId} and project_id = ${projectId} and released_at is null`,
    () => sql`delete from voice_agents where ${some(sql`voice_agents`)}`,
    () => sql`delete from sms_messages where ${some(sql`sms_messages`)}`,
    () => sql`delete from sms_conversations where ${some(sql`sms_conversations`)}`,
    () => sql`
      delete from call_entries where ctid = any(array(
        select e.ctid from calls c join call_entries e on e.org_id = c.org_id and e.call_id = c.id
        where c.org_id = ${orgId} and c.project_id = ${projectId} limit ${limit}))`,
    () => sql`delete from calls where ${some(sql`calls`)}`,
  ]
  for (const run of statements) {
    const { count } = await run()
    if (count > 0) return count
  }
  return 0
}
