import type { Sql } from '../../../database/database.ts'

/** The error code of a message that failed because the response was lost: a late status proves that it was sent. */
export const RESPONSE_LOST = 'response_lost'

export interface AcceptedSms {
  numberId: string
  projectId: string
  to: string
  segments: number
  userId: string
  agentId: string | null
  keyId: string | null
}

/** Records that the carrier has the message. Null if this was already recorded. */
export async function updateAccepted(
  sql: Sql,
  orgId: string,
  id: string,
  { providerId, segments, now }: { providerId: string; segments: number | null; now: Date },
): Promise<AcceptedSms | null> {
  const [row] = await sql<AcceptedSms[]>`
    with m as (
      update sms_messages set status = 'sent', provider_id = ${providerId},
        segments = coalesce(${segments}::int, segments), sent_at = ${now}, due_at = null, attempted_at = null,
        error_code = null, error_message = null
      where org_id = ${orgId} and id = ${id} and direction = 'outbound' and provider_id is null
        and (status in ('queued', 'sending') or status = 'failed' and error_code = ${RESPONSE_LOST})
      returning *
    )
    select m.number_id as "numberId", m.project_id as "projectId", m.to_number as "to", m.segments,
      coalesce(m.created_by, n.owner_id) as "userId", r.agent_id as "agentId", r.key_id as "keyId"
    from m join phone_numbers n on n.org_id = m.org_id and n.id = m.number_id
    left join runs r on r.org_id = m.org_id and r.id = m.run_id`
  return row ?? null
}
