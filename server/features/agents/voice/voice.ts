import { voice as endpoints } from '../../../../contract/agents/voice.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { onJob } from '../../../jobs/job-handler.ts'
import { releaseAbandoned, voiceAbandoned } from './charge.ts'
import { speak } from './speak.ts'
import { transcribeForProject, transcribeForSession } from './transcribe.ts'
import { describeVoice, type VoiceOptions } from './voice-models.ts'

export { speakPieces } from './speak.ts'
export { hearUtterance } from './transcribe.ts'
export { requireVoice } from './voice-models.ts'

/** Transcribes recordings of members and reads answers aloud. */
export const voice = (options: VoiceOptions): Feature => ({
  routes: [
    handle(endpoints.get, (ctx) => describeVoice(options, ctx)),
    handle(endpoints.transcribe, transcribeForSession(options)),
    handle(endpoints.transcribeForProject, transcribeForProject(options)),
    handle(endpoints.speak, speak(options)),
  ],
  jobs: [onJob(voiceAbandoned, releaseAbandoned)],
})
