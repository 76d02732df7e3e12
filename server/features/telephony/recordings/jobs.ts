import { z } from 'zod'
import { job } from '../../../jobs/job.ts'

/** Stores a recording as a file, then deletes it at the carrier. */
export const storeRecordingJob = job(
  'telephony.store-recording',
  z.object({
    orgId: z.uuid(),
    callId: z.uuid(),
    /** The id and the URL at the carrier. */
    recordingId: z.string(),
    url: z.string(),
    /** How often the file could not be stored, such as for lack of space. */
    kept: z.int(),
  }),
  { lane: 'bulk' },
)

/** Stores the transcript of an ended call as a file. */
export const storeTranscriptJob = job(
  'telephony.store-transcript',
  z.object({ orgId: z.uuid(), callId: z.uuid() }),
)
