import type { voice } from '../../../../contract/agents/voice.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { clientSignal } from '../../../concurrency/work-scope.ts'
import type { Context } from '../../../context.ts'
import { badRequest } from '../../../errors.ts'
import { estimateHeard } from '../../../language-models/audio/audio-pricing.ts'
import type { Transcript } from '../../../language-models/audio/transcribe.ts'
import type { ProviderOutcome } from '../../../language-models/provider-request.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { findSession } from '../conversations/conversations.ts'
import { charge } from './charge.ts'
import { mayHaveCost, providerError } from './provider-error.ts'
import { withRecording } from './receive-recording.ts'
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
    async ({ fields, recording, seconds }) => {
      const pricing = await model.pricing()
      const expected = { seconds, tokens: estimateHeard(seconds), isEstimate: true }
      const call = { ...place, use: 'transcription', model: model.id, pricing, usage: expected } as const
      const outcome = await charge<ProviderOutcome<Transcript>>(ctx, call, async () => {
        const value = await model.transcribe(recording, fields.language, signal)
        if (value.kind === 'failed') return { value, usage: mayHaveCost(value.failure) ? expected : null }
        const { tokens } = value.value
        return { value, usage: tokens ? { seconds, tokens, isEstimate: false } : expected }
      })
      if (outcome.kind === 'failed') throw providerError(outcome.failure, 'recording')
      const { text, language } = outcome.value
      return { text, language, durationSeconds: Math.round(seconds * 10) / 10 }
    },
  )
}
