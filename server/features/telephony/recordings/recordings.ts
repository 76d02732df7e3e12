import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError } from '../../../errors.ts'
import { job } from '../../../jobs/job.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { extensionFor } from '../../files/files/files.ts'
import type { CallRow } from '../calls/call.ts'
import { farewell } from '../calls/phrases.ts'
import { findCall, findNamedCall, lockCall } from '../calls/queries.ts'
import { recordEntry } from '../calls/record.ts'
import { storeTranscriptJob } from '../calls/reports.ts'
import type { CarrierContent } from '../carrier/carrier.ts'
import { TOO_LARGE } from '../carrier/download.ts'
import { openCarrier } from '../carrier/open-carrier.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { findCallbackNumberById, type HandleCallback } from '../numbers/called-number.ts'
import { addCallFile, callFileName, NotStored } from './call-files.ts'
import { storeTranscript } from './transcript.ts'

const storeRecordingJob = job(
  'telephony.store-recording',
  z.object({
    orgId: z.uuid(),
    callId: z.uuid(),
    recordingId: z.string(),
    url: z.string(),
    /** Failed storage attempts, for example for lack of space. */
    kept: z.int(),
  }),
  { lane: 'bulk' },
)

type Recording = z.output<typeof storeRecordingJob.payload>

const RETRY_MS = 6 * 3_600_000

/** One week. Then the recording stays at the carrier. */
const ATTEMPTS_MAX = 28

export const recordingsPart = (options: TelephonyOptions): Part => ({
  routes: [],
  jobs: [onJob(storeRecordingJob, storeRecording(options)), onJob(storeTranscriptJob, storeTranscript)],
})

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

/** Repeatable after any step: adds the file once, and only then deletes the recording at the carrier. */
const storeRecording =
  (options: TelephonyOptions) =>
  async (
    ctx: JobContext<'objects' | 'outbound' | 'quotas' | 'vault'>,
    recording: Recording,
  ): Promise<void> => {
    const { orgId, callId, recordingId, url } = recording
    const call = await findCall(ctx.sql, orgId, callId)
    const number = call?.numberId ? await findCallbackNumberById(ctx.sql, call.numberId) : null
    if (!call || number?.orgId !== orgId) return
    const carrier = await openCarrier(options, ctx, orgId, number.connectionId)
    if (!(await hasEntry(ctx.sql, orgId, callId, storedKey(recording)))) {
      const downloaded = await carrier.download(`${url}.mp3`)
      if (!downloaded.ok && downloaded.failure.isRefused) {
        const { message, code } = downloaded.failure
        return leaveAtCarrier(ctx, recording, { message, isFinal: code === TOO_LARGE })
      }
      if (!downloaded.ok) throw new Error(`The recording was not downloaded: ${downloaded.failure.message}`)
      const problem = await store(ctx, recording, call, call.ownerId ?? number.ownerId, downloaded.value)
      if (problem !== null) return leaveAtCarrier(ctx, recording, problem)
    }
    const deleted = await carrier.deleteRecording(recordingId)
    if (!deleted.ok)
      throw new Error(`The recording was not deleted at the carrier: ${deleted.failure.message}`)
  }

const storedKey = ({ recordingId }: Recording) => `stored ${recordingId}`

interface Problem {
  message: string
  /** Further attempts would fail too. */
  isFinal: boolean
}

async function store(
  ctx: JobContext<'objects' | 'quotas'>,
  recording: Recording,
  call: CallRow,
  userId: string,
  { contentType, content }: CarrierContent,
): Promise<Problem | null> {
  const { orgId, callId } = recording
  const name = `${callFileName(call)}${extensionFor(contentType)}`
  try {
    await addCallFile(
      ctx,
      orgId,
      call,
      userId,
      { name, mimeType: contentType, content },
      async (inside, fileId) => {
        await lockCall(inside.sql, orgId, callId)
        const entry = { at: ctx.now(), type: 'recording.stored', detail: name, key: storedKey(recording) }
        // A concurrent attempt has stored the recording.
        if (!(await recordEntry(inside.sql, orgId, callId, entry))) throw new AlreadyStored()
        await updateRecordingFile(inside.sql, orgId, callId, fileId)
      },
    )
    return null
  } catch (error) {
    if (error instanceof AlreadyStored) return null
    if (error instanceof NotStored) return { message: error.message, isFinal: false }
    if (error instanceof ApiError)
      return { message: error.message, isFinal: error.code === 'PAYLOAD_TOO_LARGE' }
    throw error
  }
}

class AlreadyStored extends Error {}

/** Records why, and retries for up to a week unless the problem is final. */
const leaveAtCarrier = (
  ctx: JobContext,
  recording: Recording,
  { message, isFinal }: Problem,
): Promise<void> =>
  ctx.transaction(async ({ sql, enqueue, now }) => {
    const { orgId, callId, recordingId, kept } = recording
    await lockCall(sql, orgId, callId)
    const detail = `The recording stays at the carrier. ${message}`
    const entry = { at: now(), type: 'recording.kept', detail, key: `kept ${recordingId}` }
    await recordEntry(sql, orgId, callId, entry)
    if (isFinal || kept + 1 >= ATTEMPTS_MAX) return
    const runAt = new Date(now().getTime() + RETRY_MS)
    await enqueue(storeRecordingJob, { ...recording, kept: kept + 1 }, { runAt, orgId })
  })

/** Applies even if the caller hangs up. */
const updateVoicemail = (sql: Sql, orgId: string, callId: string) => sql`
  update calls set end_reason = coalesce(end_reason, 'voicemail')
  where org_id = ${orgId} and id = ${callId} and ended_at is null`

/** The first recording stays. */
const updateRecordingFile = (sql: Sql, orgId: string, callId: string, fileId: string) => sql`
  update calls set recording_file_id = coalesce(recording_file_id, ${fileId})
  where org_id = ${orgId} and id = ${callId}`

async function hasEntry(sql: Sql, orgId: string, callId: string, key: string): Promise<boolean> {
  const rows = await sql`
    select from call_entries where org_id = ${orgId} and call_id = ${callId} and key = ${key}`
  return rows.length > 0
}
