import type { PublicContext } from '../../../context.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import type { VoiceAgentView } from './voice-agent-queries.ts'

/** The URLs that a person enters at the provider. */
export function urlsOf(
  { publicUrl }: Pick<TelephonyOptions, 'publicUrl'>,
  { origin }: Pick<PublicContext, 'origin'>,
  { id, provider }: Pick<VoiceAgentView, 'id' | 'provider'>,
) {
  const base = `${publicUrl ?? origin.baseUrl}/api/v1/telephony/${provider}`
  const url = (path: string) => `${base}/${path}?voice-agent=${id}`
  const isElevenLabs = provider === 'elevenlabs'
  return {
    webhook: url('webhook'),
    initiation: isElevenLabs ? url('initiation') : null,
    closeConversation: isElevenLabs ? url('tools/close-conversation') : null,
    queueAgentRun: isElevenLabs ? url('tools/queue-agent-run') : null,
  }
}
