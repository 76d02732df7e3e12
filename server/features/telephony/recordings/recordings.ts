import { onJob } from '../../../jobs/job-handler.ts'
import type { Part, TelephonyOptions } from '../dependencies.ts'
import { storeRecordingJob, storeTranscriptJob } from './jobs.ts'
import { storeRecording } from './store-recording.ts'
import { storeTranscript } from './transcript.ts'

export const recordingsPart = (options: TelephonyOptions): Part => ({
  routes: [],
  jobs: [onJob(storeRecordingJob, storeRecording(options)), onJob(storeTranscriptJob, storeTranscript)],
})
