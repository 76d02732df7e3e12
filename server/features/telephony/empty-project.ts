import type { Fragment, Sql } from '../../database/database.ts'
import { firstBatch, inBatch } from '../../database/delete-batch.ts'
import type { EmptyProject } from '../../feature.ts'
import { numberReleased } from './numbers/background.ts'

/** Also releases the numbers, as no agent can answer them. */
export const emptyTelephony: EmptyProject = async (ctx, { orgId, id: projectId }, limit) => {
  const released = await releaseNumbersOf(ctx.sql, orgId, projectId, ctx.now())
  for (const { id } of released) await ctx.enqueue(numberReleased, { orgId, id })
  return released.length > 0 ? released.length : deleteTelephony(ctx.sql, orgId, projectId, limit)
}

/** Rows stay, because they hold the opt-out lists. */
const releaseNumbersOf = (sql: Sql, orgId: string, projectId: string, now: Date) => sql<{ id: string }[]>`
  update phone_numbers set status = 'released', status_reason = null, released_at = ${now}, updated_at = ${now},
    label = null, settings = '{}', version = version + 1
  where org_id = ${orgId} and project_id = ${projectId} and released_at is null
  returning id`

/** Keeps costs, which the organization has paid. */
async function deleteTelephony(sql: Sql, orgId: string, projectId: string, limit: number): Promise<number> {
  const ofProject = (table: Fragment) =>
    inBatch(sql, sql`${table} t where t.org_id = ${orgId} and t.project_id = ${projectId}`, limit)
  const entriesOfCalls = sql`
    calls c join call_entries t on t.org_id = c.org_id and t.call_id = c.id
    where c.org_id = ${orgId} and c.project_id = ${projectId}`
  return firstBatch([
    () => sql`delete from voice_agents where ${ofProject(sql`voice_agents`)}`,
    () => sql`delete from sms_messages where ${ofProject(sql`sms_messages`)}`,
    () => sql`delete from sms_conversations where ${ofProject(sql`sms_conversations`)}`,
    () => sql`delete from call_entries where ${inBatch(sql, entriesOfCalls, limit)}`,
    () => sql`delete from calls where ${ofProject(sql`calls`)}`,
    () => sql`delete from telephony_hours where ${ofProject(sql`telephony_hours`)}`,
    () => sql`delete from telephony_days where ${ofProject(sql`telephony_days`)}`,
  ])
}
