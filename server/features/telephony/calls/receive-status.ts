import { Id } from '../../../../contract/fields.ts'
import type { Sql } from '../../../database/database.ts'
import type { HandleCallback } from '../callbacks/callback.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { applyReport, type CarrierReport } from './apply-report.ts'
import { lockByProvider, lockCall } from './call-queries.ts'
import { updateProviderId } from './write-queries.ts'

/** Receives a status of a call. A status of an unknown call changes nothing. */
export const receiveStatus: HandleCallback = async (ctx, number, callback) => {
  const { CallSid: providerId } = callback.fields
  if (!providerId) return null
  const { orgId } = number
  await ctx.transaction(async ({ sql }) => {
    const call = await lockReported(sql, orgId, callback)
    if (call?.numberId !== number.id) return
    // A status proves that the carrier has the call, even if its response was lost.
    if (call.providerId === null) await updateProviderId(sql, orgId, call.id, providerId)
    else if (call.providerId !== providerId) return
    await applyReport(sql, orgId, { ...call, providerId }, reportOf(callback, ctx.now()))
  })
  return null
}

/** Locks the call by the id in the URL of an outbound call, or by the id at the carrier. */
async function lockReported(sql: Sql, orgId: string, { query, fields }: CarrierCallback) {
  if (query.call === undefined) return lockByProvider(sql, orgId, 'twilio', fields.CallSid!)
  const id = Id.safeParse(query.call)
  return id.success ? lockCall(sql, orgId, id.data) : null
}

const reportOf = ({ fields }: CarrierCallback, at: Date): CarrierReport => ({
  status: fields.CallStatus ?? '',
  sequence: countOf(fields.SequenceNumber),
  durationSeconds: countOf(fields.CallDuration),
  at,
})

const countOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
