import type { voice } from '../../../../contract/agents/voice.ts'
import { USUAL_VOICE } from '../../../../contract/agents/voice-options.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { ApiError, conflict } from '../../../errors.ts'
import type { AudioModel, Models } from '../../../language-models/models.ts'
import {
  type OrgSettings,
  readSettings,
  refusingRule,
  requireModels,
} from '../../organizations/settings/settings.ts'

export interface VoiceOptions {
  models: Pick<Models, 'audio' | 'usualAudioProvider'>
  /** For recordings while they arrive. */
  spoolFolder: string
}

type VoiceModels = VoiceOptions['models']
export type VoiceUse = 'transcription' | 'speech'

export async function describeVoice(
  { models }: VoiceOptions,
  { sql, caller }: Context,
): Promise<OutputOf<typeof voice.get>> {
  const settings = await readSettings(sql, caller)
  const offer = async (use: VoiceUse) => {
    const id = await chosenModel(models, caller.orgId, settings, use)
    if (id === null) return { model: null, problem: 'no_provider' as const }
    if ((await models.audio(caller.orgId, id)) === null)
      return { model: id, problem: 'wrong_provider' as const }
    const isAllowed = refusingRule(settings, caller.role, id) === null
    return { model: id, problem: isAllowed ? null : ('model_not_allowed' as const) }
  }
  const [transcription, speech] = await Promise.all([offer('transcription'), offer('speech')])
  return { transcription, speech: { ...speech, voiceName: voiceNameOf(settings) } }
}

const NOUNS: Record<VoiceUse, string> = {
  transcription: 'No model transcribes recordings',
  speech: 'No model reads answers aloud',
}

export async function requireVoice(
  models: VoiceModels,
  ctx: Context,
  use: VoiceUse,
): Promise<{ model: NonNullable<AudioModel>; voiceName: string }> {
  const { sql, caller } = ctx
  const settings = await readSettings(sql, caller)
  const id = await chosenModel(models, caller.orgId, settings, use)
  if (id !== null) await requireModels(ctx, [id])
  const model = id && (await models.audio(caller.orgId, id))
  if (model) return { model, voiceName: voiceNameOf(settings) }
  if (id === null) throw unavailable(`${NOUNS[use]}: an admin can choose one in Settings → Models`)
  throw conflict(
    `${id} has no provider with OpenAI’s audio API: an admin can choose another model in Settings → Models`,
  )
}

const unavailable = (message: string) =>
  new ApiError('CONFLICT', message, { details: { reason: 'voice_not_available' } })

async function chosenModel(
  models: VoiceModels,
  orgId: string,
  { voice }: OrgSettings,
  use: VoiceUse,
): Promise<string | null> {
  if (voice[use] !== null) return voice[use]
  const provider = await models.usualAudioProvider(orgId)
  return provider && `${provider}/${USUAL_VOICE[use]}`
}

const voiceNameOf = ({ voice }: OrgSettings) => voice.voiceName ?? USUAL_VOICE.voiceName
