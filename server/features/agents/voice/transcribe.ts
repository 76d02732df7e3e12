import type { voice } from '../../../../contract/agents/voice.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { clientSignal } from '../../../concurrency/work-scope.ts'
import type { Context } from '../../../context.ts'
import { badRequest } from '../../../errors.ts'
import { estimateHeard } from '../../../language-models/audio/audio-pricing.ts'
import type { Recording, Transcript } from '../../../language-models/audio/transcribe.ts'
import type { AudioModel } from '../../../language-models/models.ts'
import type { ProviderOutcome } from '../../../language-models/provider-request.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { findSession } from '../conversations/conversations.ts'
import { charge, type OnCharged } from './charge.ts'
import { mayHaveCost, providerError } from './provider-error.ts'
import { MIME_TYPES, withRecording } from './receive-recording.ts'
import { measureRecording } from './recording/measure.ts'
import { seekableBytes } from './recording/seekable.ts'
import { requireVoice, type VoiceOptions } from './voice-models.ts'

type FormInput = Pick<Extract<InputOf<typeof voice.transcribeForProject>, { form: object }>, 'form'>

interface Place {
  projectId: string
  agentId: string | null
}

export const transcribeForSession =
  (options: VoiceOptions) =>
  async (ctx: Context, { id, form }: InputOf<typeof voice.transcribe>) => {
    const { projectId, agentId } = await findSession(ctx, id, 'edit')
    return transcribe(options, ctx, form, { projectId, agentId })
  }

export const transcribeForProject =
  (options: VoiceOptions) =>
  async (ctx: Context, { projectId, form }: InputOf<typeof voice.transcribeForProject>) => {
    const project = await findProject(ctx, projectId, 'edit')
    return transcribe(options, ctx, form, { projectId: project.id, agentId: null })
  }

async function transcribe(
  { models, spoolFolder }: VoiceOptions,
  ctx: Context,
  form: FormInput['form'] | undefined,
  place: Place,
) {
  const signal = clientSignal()
  if (!form) throw badRequest('This endpoint requires multipart/form-data with the field audio')
  const { model } = await requireVoice(models, ctx, 'transcription')
  return withRecording(
    { orgId: ctx.caller.orgId, folder: spoolFolder },
    form,
    async ({ fields: { language: spoken }, recording }) => {
      const options = { ...place, language: spoken, signal }
      const { text, language } = await transcribeWith(model, ctx, recording, options)
      return { text, language, durationSeconds: Math.round(recording.seconds * 10) / 10 }
    },
  )
}

interface HearingOptions extends Place {
  language: string | undefined
  signal: AbortSignal | undefined
  onCharged?: OnCharged
}

/** Charges the caller. */
async function transcribeWith(
  model: NonNullable<AudioModel>,
  ctx: Context,
  recording: Recording,
  { language, signal, ...place }: HearingOptions,
): Promise<Transcript> {
  const { seconds } = recording
  const pricing = await model.pricing()
  const expected = { seconds, tokens: estimateHeard(seconds), isEstimate: true }
  const call = { ...place, use: 'transcription', model: model.id, pricing, usage: expected } as const
  const outcome = await charge<ProviderOutcome<Transcript>>(ctx, call, async () => {
    const value = await model.transcribe(recording, language, signal)
    if (value.kind === 'failed') return { value, usage: mayHaveCost(value.failure) ? expected : null }
    const { tokens } = value.value
    return { value, usage: tokens ? { seconds, tokens, isEstimate: false } : expected }
  })
  if (outcome.kind === 'failed') throw providerError(outcome.failure, 'recording')
  return outcome.value
}

/** Transcribes what a member said in a call. Charges the caller. Null if it's no recording, or a longer one. */
export async function hearUtterance(
  { models }: Pick<VoiceOptions, 'models'>,
  ctx: Context,
  { bytes, secondsMax }: { bytes: Buffer; secondsMax: number },
  options: HearingOptions,
): Promise<Transcript | null> {
  const measured = await measureRecording(seekableBytes(bytes))
  if (!measured || measured.seconds > secondsMax) return null
  const { type, seconds } = measured
  const { model } = await requireVoice(models, ctx, 'transcription')
  async function* read() {
    yield bytes
  }
  const recording = {
    name: `recording.${type}`,
    mimeType: MIME_TYPES[type],
    size: bytes.length,
    seconds,
    read,
  }
  return transcribeWith(model, ctx, recording, options)
}
