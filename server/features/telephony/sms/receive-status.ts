import { dictionary } from '../../../../contract/dictionary.ts'
import { Id } from '../../../../contract/fields.ts'
import type { SmsStatus } from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import type { HandleCallback } from '../callbacks/callback.ts'
import { explainCode, OPTED_OUT } from '../carrier/twilio-errors.ts'
import { acceptSms } from './accept.ts'
import { insertOptOut } from './opt-out-queries.ts'

/** The final statuses of the carrier. Other statuses are ignored. */
const FINAL_STATUSES: Readonly<Record<string, SmsStatus>> = dictionary({
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
})

/** Receives a status of a text message. Repeated, late and reordered ones change nothing. */
export const receiveSmsStatus: HandleCallback = async (ctx, number, { fields, query }) => {
  const { orgId, id: numberId } = number
  const { MessageSid: providerId, MessageStatus: reported = fields.SmsStatus ?? '', ErrorCode } = fields
  if (!providerId) return null
  await ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    // The URL of the message has its id: a status proves that the carrier has it, even if its response was lost.
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

/** Null if the message has already ended, or is not one of this number. */
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
