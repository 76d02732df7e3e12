import type { Sql } from '../../../database/database.ts'
import { publishIn } from '../../../events/publish.ts'
import { recordSmsCost } from '../costs/estimate-cost.ts'
import { updateAccepted } from './accept-queries.ts'

/** Records that the carrier has a message, with its cost, once. On the transaction of the caller. */
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
