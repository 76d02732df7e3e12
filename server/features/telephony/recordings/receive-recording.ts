import type { HandleCallback } from '../callbacks/callback.ts'
import { lockCall } from '../calls/call-queries.ts'
import { recordEntry } from '../calls/record.ts'
import { findNamedCall } from '../transfer/named-call.ts'
import { farewell } from '../transfer/transfer-twiml.ts'
import { storeRecordingJob } from './jobs.ts'
import { updateVoicemail } from './recording-queries.ts'

/** Receives the report of a voicemail or of a complete recording, which a job stores. */
export const receiveRecording: HandleCallback = async (ctx, number, { query, fields }) => {
  const { orgId } = number
  const call = await findNamedCall(ctx.sql, number, query)
  if (query.step === 'ended') {
    if (call) await updateVoicemail(ctx.sql, orgId, call.id)
    return { twiml: farewell('thanks', number) }
  }
  const { RecordingSid: recordingId, RecordingUrl: url, RecordingStatus, RecordingDuration } = fields
  if (!call || !recordingId || !url || RecordingStatus !== 'completed') return null
  await ctx.transaction(async (inside) => {
    await lockCall(inside.sql, orgId, call.id)
    const key = `recording ${recordingId}`
    const detail = RecordingDuration === undefined ? null : `${RecordingDuration} s`
    const entry = { at: ctx.now(), type: 'recording.completed', detail, key }
    if (await recordEntry(inside.sql, orgId, call.id, entry))
      await inside.enqueue(
        storeRecordingJob,
        { orgId, callId: call.id, recordingId, url, kept: 0 },
        { orgId },
      )
  })
  return null
}
