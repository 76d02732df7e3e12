import type { InputOf } from '../../../../../contract/endpoint.ts'
import { TELEPHONY_LIMITS } from '../../../../../contract/telephony/telephony-options.ts'
import type { voiceAgents as contract } from '../../../../../contract/telephony/voice-agents.ts'
import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import type { PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError } from '../../../../errors.ts'
import type { RefusalReason } from '../../../../inbound/receive.ts'
import { sanitizeJson } from '../../../../inbound/sanitize.ts'
import { createIncrementalHmac, isSameTag } from '../../../../security/hmac.ts'
import { acceptedSchemes } from '../../../../signatures/signature-schemes.ts'
import type { Headers } from '../../../../signatures/signed-request.ts'
import type { Verdict } from '../../../../signatures/verify.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { refuse } from '../authenticate.ts'
import { contextOfOwner, findNamedAgent, findWebhookSecret, forTenant } from '../named-agent.ts'
import {
  findByProviderAgent,
  findSharedVoiceAgent,
  updateUsed,
  type VoiceAgentRow,
} from '../voice-agent-queries.ts'
import { type Conversation, PostCall } from './conversation.ts'
import { applyFailure, applyTranscription } from './post-call.ts'
import { applyRecording, openRecording, type Recording, type RecordingResult } from './recording.ts'
import { splitAudio, TooLargeError } from './split-audio.ts'

/** Without the recording. */
const TEXT_BYTES_MAX = 8_388_608
const recordings = createSemaphore({
  ...{ name: 'recordings', permits: 8, permitsPerKey: 2, waitingPerKeyMax: 20, waitingMax: 100 },
  // The body waits meanwhile. After a refusal, the provider sends the event again.
  waitMs: 30_000,
})

type Input = InputOf<typeof contract.elevenlabsWebhook>

export const receivePostCall =
  (options: TelephonyOptions) =>
  async (
    ctx: PublicContext<'objects' | 'quotas' | 'vault'>,
    { content, contentLength, headers, ...query }: Input,
  ) => {
    const namedAgent = await findNamedAgent(ctx, 'elevenlabs', query)
    const secret = findWebhookSecret(options, ctx, 'elevenlabs', namedAgent)
    const [scheme = null] = acceptedSchemes('elevenlabs')
    const refusal = (reason: RefusalReason) => refuse(ctx, namedAgent, { headers, reason, scheme, secret })
    const signature = streamedSignature(headers, secret, ctx.now())
    if (signature.refusal !== null) throw await refusal(signature.refusal)
    const find = (agentId: string) => findAgent(ctx, namedAgent, agentId)
    const body = receiveBody(limitSize(content, contentLength, signature.add), {
      open: (head) => openRecordingFor(ctx, find, head),
    })
    const received = await body.catch(async (error: unknown) => {
      if (!(error instanceof TooLargeError)) throw error
      await refusal('too_large')
      throw tooLarge()
    })
    const isValid = signature.isValid()
    const event = isValid ? eventOf(received.text) : null
    const voiceAgent = event && (await find(event.data.agent_id))
    let isUsed = false
    try {
      if (!isValid) throw await refusal('bad_signature')
      if (event && voiceAgent)
        isUsed = await apply(forTenant(ctx, voiceAgent.orgId), voiceAgent, event, received)
    } finally {
      if (!isUsed) await received.discard()
      received.release()
    }
    return reply(null, { bytes: { content: null, headers: { 'cache-control': 'no-store' } } })
  }

/** Searches the organization with the verifying secret. Null if this server has no such voice agent. */
function findAgent(ctx: PublicContext, namedAgent: VoiceAgentRow | null, agentId: string) {
  if (namedAgent === null || namedAgent.webhookSecretSealed === null)
    return findSharedVoiceAgent(ctx.sql, 'elevenlabs', agentId)
  if (namedAgent.providerAgentId === agentId) return Promise.resolve(namedAgent)
  return findByProviderAgent(ctx.sql, namedAgent.orgId, 'elevenlabs', agentId)
}

async function* limitSize(
  content: AsyncIterable<Uint8Array>,
  contentLength: number | null,
  add: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  if (contentLength !== null && contentLength > TELEPHONY_LIMITS.recordingBytes) throw new TooLargeError()
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > TELEPHONY_LIMITS.recordingBytes) throw new TooLargeError()
    add(chunk)
    yield chunk
  }
}

interface OpenRecording {
  recording: Recording
  release: () => void
}

interface ReceivedWebhook {
  text: string
  recorded: RecordingResult | null
  discard: () => Promise<void>
  release: () => void
}

async function receiveBody(
  content: AsyncIterable<Uint8Array>,
  { open }: { open: (head: string) => Promise<OpenRecording | null> },
): Promise<ReceivedWebhook> {
  const parts = splitAudio(content, { textBytesMax: TEXT_BYTES_MAX })
  let opened: OpenRecording | null = null
  let recorded: RecordingResult | null = null
  const discard = async () => opened?.recording.discard()
  const release = () => opened?.release()
  try {
    for (;;) {
      const next = await parts.next()
      if (next.done) return { text: next.value, recorded, discard, release }
      const part = next.value
      if (part.kind === 'start') opened ??= await open(part.head)
      else if (recorded === null && part.kind === 'audio') await opened?.recording.write(part.bytes)
      else if (part.kind === 'end') recorded ??= (await opened?.recording.finish()) ?? null
    }
  } catch (error) {
    await discard()
    release()
    throw error
  }
}

/** The head before the recording isn't verified yet, so it only decides where the object is stored. */
async function openRecordingFor(
  ctx: PublicContext<'objects' | 'quotas'>,
  find: (agentId: string) => Promise<VoiceAgentRow | null>,
  head: string,
): Promise<OpenRecording | null> {
  const data = eventOf(`${head}"}}`)?.data
  const voiceAgent = data ? await find(data.agent_id) : null
  const acting = voiceAgent && (await contextOfOwner(forTenant(ctx, voiceAgent.orgId), voiceAgent))
  if (!data || !acting) return null
  const release = await recordings.acquire(acting.caller.orgId)
  return { recording: openRecording(acting, 'recording.mp3'), release }
}

function eventOf(text: string): PostCall | null {
  try {
    return PostCall.safeParse(sanitizeJson(JSON.parse(text))).data ?? null
  } catch {
    return null
  }
}

/** Returns true if a file now owns the recording. Acknowledges other events. */
async function apply(
  ctx: PublicContext<'objects' | 'quotas'>,
  voiceAgent: VoiceAgentRow,
  { type, data }: { type: string; data: Conversation },
  { recorded }: ReceivedWebhook,
): Promise<boolean> {
  await updateUsed(ctx.sql, voiceAgent.orgId, voiceAgent.id, ctx.now())
  if (type === 'post_call_audio') {
    const problem = 'The event contained no recording, or it came before the agent’s id.'
    return applyRecording(ctx, voiceAgent, data, recorded ?? { upload: null, problem })
  }
  if (type === 'post_call_transcription') await applyTranscription(ctx, voiceAgent, data)
  if (type === 'call_initiation_failure') await applyFailure(ctx, voiceAgent, data)
  return false
}

const tooLarge = () =>
  new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${TELEPHONY_LIMITS.recordingBytes} bytes`, {
    details: { reason: 'too_large' },
  })

const HEADER = 'elevenlabs-signature'
const OLDEST_S = 30 * 60
const NEWEST_S = 5 * 60

type Refusal = NonNullable<Verdict['reason']>

type StreamedSignature =
  | { refusal: Refusal }
  | { refusal: null; add: (chunk: Uint8Array) => void; isValid: () => boolean }

/**
 * Verifies `t=<seconds>,v0=<hex>`, the HMAC-SHA256 over `t.body`, in parts, so no recording is kept in memory. Rejects
 * what it can before reading the body.
 */
export function streamedSignature(headers: Headers, secret: string | null, now: Date): StreamedSignature {
  const header = headers[HEADER]
  if (!header) return { refusal: 'missing_signature' }
  const pairs = header.split(',').map((pair) => pair.trim())
  const timestamp = pairs.find((pair) => /^t=\d{1,12}$/.test(pair))?.slice(2)
  const signatures = pairs.filter((pair) => /^v0=[0-9a-f]{64}$/i.test(pair)).map((pair) => pair.slice(3))
  if (timestamp === undefined || signatures.length === 0) return { refusal: 'malformed_signature' }
  const age = now.getTime() / 1000 - Number(timestamp)
  if (age > OLDEST_S || age < -NEWEST_S) return { refusal: 'timestamp_skew' }
  if (!secret) return { refusal: 'bad_signature' }
  const tag = createIncrementalHmac('sha256', Buffer.from(secret))
  tag.add(`${timestamp}.`)
  return {
    refusal: null,
    add: tag.add,
    isValid: () => {
      const expected = tag.digest()
      return signatures.some((signature) => isSameTag(expected, Buffer.from(signature, 'hex')))
    },
  }
}
