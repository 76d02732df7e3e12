import type { Sql } from '../../../../database/database.ts'

export interface OutboundSms {
  id: string
  to: string
  body: string
  media: string[]
  status: 'queued' | 'sending'
  purpose: 'message' | 'reply' | 'notice' | 'forward'
  segments: number
  projectId: string
  createdBy: string | null
  agentId: string | null
  keyId: string | null
  attempts: number
  /** The time from which the carrier may have the message; null if it does not have it. */
  attemptedAt: string | null
}

/** The next message of a number, in the order in which they became due. */
export async function findDue(
  sql: Sql,
  orgId: string,
  numberId: string,
  now: Date,
): Promise<OutboundSms | null> {
  const [row] = await sql<OutboundSms[]>`
    select m.id, m.to_number as "to", m.body, m.media, m.status, m.purpose, m.segments, m.project_id as "projectId",
      m.created_by as "createdBy", m.attempts, m.attempted_at as "attemptedAt", r.agent_id as "agentId",
      r.key_id as "keyId"
    from sms_messages m left join runs r on r.org_id = m.org_id and r.id = m.run_id
    where m.org_id = ${orgId} and m.number_id = ${numberId} and m.due_at <= ${now} and m.status in ('queued', 'sending')
    order by m.due_at, m.id limit 1`
  return row ?? null
}

/**
 * Marks a message before the request, so that the mark survives a killed process. False if another worker has the
 * number.
 */
export async function markSending(
  sql: Sql,
  orgId: string,
  id: string,
  { numberId, lease }: { numberId: string; lease: number },
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    update sms_messages m set status = 'sending', attempted_at = ${now}
    where m.org_id = ${orgId} and m.id = ${id} and m.status in ('queued', 'sending') and exists (
      select from sms_senders s where s.org_id = ${orgId} and s.number_id = ${numberId} and s.lease = ${lease})`
  return count === 1
}

export interface Retry {
  status: 'queued' | 'sending'
  error: string
  dueAt: Date
  /** Null: the carrier certainly does not have it. */
  attemptedAt: Date | string | null
}

/** Schedules another attempt, or a lookup at the carrier. */
export const updateRetry = (
  sql: Sql,
  orgId: string,
  id: string,
  { status, error, dueAt, attemptedAt }: Retry,
) => sql`
  update sms_messages set status = ${status}, error_message = ${error}, due_at = ${dueAt}, attempted_at = ${attemptedAt},
    attempts = attempts + case when ${status} = 'queued' then 1 else 0 end
  where org_id = ${orgId} and id = ${id} and status in ('queued', 'sending')`

/** Marks a message as failed. False if it is no longer queued. */
export async function updateFailed(
  sql: Sql,
  orgId: string,
  id: string,
  { code, message }: { code: string | null; message: string },
): Promise<boolean> {
  const { count } = await sql`
    update sms_messages set status = 'failed', error_code = ${code}, error_message = ${message}, due_at = null,
      attempted_at = null
    where org_id = ${orgId} and id = ${id} and status in ('queued', 'sending')`
  return count === 1
}

/** The ids of the carrier that belong to stored messages. */
export async function listStoredIds(
  sql: Sql,
  orgId: string,
  providerIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select provider_id as id from sms_messages
    where org_id = ${orgId} and provider_id = any(${providerIds as string[]})`
  return new Set(rows.map(({ id }) => id))
}
