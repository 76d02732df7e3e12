import type { CalledNumber, HandleCallback } from '../callbacks/callback.ts'
import type { CarrierCallback } from '../carrier/carrier.ts'
import { findNamedCall } from '../transfer/named-call.ts'
import { applyReport, type CarrierReport } from './apply-report.ts'
import { findByProvider, lockCall } from './call-queries.ts'
import { updateProviderId } from './write-queries.ts'

/** Receives a status of a call. One of a call that is not known here changes nothing. */
export const receiveStatus: HandleCallback = async (ctx, number, callback) => {
  const { CallSid: providerId } = callback.fields
  if (!providerId) return null
  const found = await findReported(ctx.sql, number, callback)
  if (!found) return null
  await ctx.transaction(async ({ sql }) => {
    const { orgId } = number
    const call = await lockCall(sql, orgId, found.id)
    if (!call) return
    // A status proves that the carrier has the call, even if its response was lost.
    if (call.providerId === null) await updateProviderId(sql, orgId, call.id, providerId)
    else if (call.providerId !== providerId) return
    await applyReport(sql, orgId, { ...call, providerId }, reportOf(callback, ctx.now()))
  })
  return null
}

/** By the id in the URL of an outbound call, or by the id at the carrier. */
async function findReported(
  sql: Parameters<typeof findByProvider>[0],
  number: CalledNumber,
  { query, fields }: CarrierCallback,
) {
  if (query.call !== undefined) return findNamedCall(sql, number, query)
  const call = await findByProvider(sql, number.orgId, 'twilio', fields.CallSid!)
  return call?.numberId === number.id ? call : null
}

const reportOf = ({ fields }: CarrierCallback, at: Date): CarrierReport => ({
  status: fields.CallStatus ?? '',
  sequence: countOf(fields.SequenceNumber),
  durationSeconds: countOf(fields.CallDuration),
  at,
})

const countOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
