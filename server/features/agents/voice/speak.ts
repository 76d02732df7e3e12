import { Readable } from 'node:stream'
import type { voice } from '../../../../contract/agents/voice.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { clientSignal } from '../../../concurrency/work-scope.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { conflict, notFound, raise } from '../../../errors.ts'
import { estimateSpoken } from '../../../language-models/audio/audio-pricing.ts'
import { findMessage, findSession } from '../conversations/conversations.ts'
import { charge, type OnCharged } from './charge.ts'
import { mayHaveCost, providerError } from './provider-error.ts'
import { spokenPieces } from './spoken-pieces.ts'
import { requireVoice, type VoiceOptions } from './voice-models.ts'

const HEADERS = { 'content-type': 'audio/mpeg', 'cache-control': 'private, no-store' }

export const speak =
  ({ models }: VoiceOptions) =>
  async (ctx: Context, { id, messageId }: InputOf<typeof voice.speak>) => {
    const signal = clientSignal()
    const { projectId, agentId } = await findSession(ctx, id)
    const { orgId, userId: readerId } = ctx.caller
    const message =
      (await findMessage(ctx.sql, orgId, { sessionId: id, id: messageId, readerId })) ??
      raise(notFound('Message'))
    if (message.role !== 'assistant') throw conflict('Only an agent’s messages can be read aloud')
    const pieces = spokenPieces(message.body)
    if (pieces.length === 0) throw conflict('This message has no text to read aloud')
    const audio = await speakPieces({ models }, ctx, pieces, { projectId, agentId, signal })
    return reply(null, { bytes: { content: Readable.from(audio, { objectMode: false }), headers: HEADERS } })
  }

interface SpeechOptions {
  projectId: string
  agentId: string | null
  signal: AbortSignal | undefined
  onCharged?: OnCharged
}

/** MP3. Charges the caller. */
export async function speakPieces(
  { models }: Pick<VoiceOptions, 'models'>,
  ctx: Context,
  pieces: readonly string[],
  { projectId, agentId, signal, onCharged }: SpeechOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const { model, voiceName } = await requireVoice(models, ctx, 'speech')
  const characters = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const usage = { seconds: null, characters, tokens: estimateSpoken(characters), isEstimate: true }
  const pricing = await model.pricing()
  const call = { projectId, agentId, use: 'speech', model: model.id, pricing, usage, onCharged } as const
  const outcome = await charge(ctx, call, async () => {
    const result = await model.synthesize(pieces, voiceName, signal)
    const isCharged = result.kind === 'done' || mayHaveCost(result.failure)
    return { value: result, usage: isCharged ? usage : null }
  })
  if (outcome.kind === 'failed') throw providerError(outcome.failure, 'answer')
  return outcome.value
}
