import { dictionary } from '../../../../contract/dictionary.ts'
import { Id } from '../../../../contract/fields.ts'
import type { SmsStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import { explainCode, OPTED_OUT } from '../carrier/twilio-errors.ts'
import { recordSmsCost } from '../costs/record-cost.ts'
import type { HandleCallback } from '../numbers/called-number.ts'
import { insertOptOut } from './opt-outs.ts'

/** A late status proves that the message was sent. */
export const RESPONSE_LOST = 'response_lost'

/** Other statuses are ignored. */
const FINAL_STATUSES: Readonly<Record<string, SmsStatus>> = dictionary({
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
})

/** Repeated, late and reordered statuses change nothing. */
export const receiveSmsStatus: HandleCallback = async (ctx, number, { fields, query }) => {
  const { orgId, id: numberId } = number
  const { MessageSid: providerId, MessageStatus: reported = fields.SmsStatus ?? '', ErrorCode } = fields
  if (!providerId) return null
  await ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    // The URL has the message's id: a status proves that the carrier has it, even after a lost response.
    const id = Id.safeParse(query.sms)
    if (id.success) await acceptSms(sql, orgId, id.data, { providerId, segments: null, now })
    const status = FINAL_STATUSES[reported]
    if (status === undefined) return
    const code = status === 'delivered' ? null : (ErrorCode?.slice(0, 20) ?? null)
    const message = code === null ? null : (explainCode(code) ?? `The carrier reports the error ${code}`)
    const ended = await updateEnded(sql, orgId, { numberId, providerId, status, code, message })
    if (!ended || status === 'delivered') return
    if (code === OPTED_OUT)
      await insertOptOut(sql, orgId, { numberId, peer: ended.peer }, { source: 'carrier', now })
    const { id: smsId, projectId } = ended
    await publishIn(sql, orgId, now, {
      type: 'sms.failed',
      data: { smsId, projectId, numberId, status, errorCode: code },
    })
  })
  return null
}

interface StatusReport {
  numberId: string
  providerId: string
  status: SmsStatus
  code: string | null
  message: string | null
}

async function updateEnded(
  sql: Sql,
  orgId: string,
  { numberId, providerId, status, code, message }: StatusReport,
): Promise<{ id: string; peer: string; projectId: string } | null> {
  const [row] = await sql<{ id: string; peer: string; projectId: string }[]>`
    update sms_messages set status = ${status}, error_code = ${code}, error_message = ${message}
    where org_id = ${orgId} and provider_id = ${providerId} and number_id = ${numberId} and direction = 'outbound'
      and status = 'sent'
    returning id, peer, project_id as "projectId"`
  return row ?? null
}

/** Records the cost once. Runs in the caller's transaction. */
export async function acceptSms(
  sql: Sql,
  orgId: string,
  id: string,
  accepted: { providerId: string; segments: number | null; now: Date },
): Promise<void> {
  const row = await updateAccepted(sql, orgId, id, accepted)
  if (!row) return
  const { numberId, projectId, segments } = row
  const { providerId, now } = accepted
  await publishIn(sql, orgId, now, {
    type: 'sms.sent',
    data: { smsId: id, projectId, numberId, status: 'sent', segments },
  })
  await recordSmsCost(sql, orgId, { ...row, messageId: id, providerId, direction: 'outbound' }, now)
}

interface AcceptedSms {
  numberId: string
  projectId: string
  to: string
  segments: number
  userId: string
  agentId: string | null
  keyId: string | null
}

async function updateAccepted(
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
