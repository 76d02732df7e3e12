import { z } from 'zod'
import type { BrowserCallState, CallEnd } from '../../../../contract/telephony/telephony-options.ts'

const CHARACTERS_MAX = 1000

const Clip = z.int().min(1)

/** Besides these, each binary message is one utterance's recording. */
const Incoming = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('speaking'),
    /** The clip whose playback stopped, and how much of it was played. Null if none was playing. */
    clip: Clip.nullable().default(null),
    part: z.number().min(0).max(1).default(0),
  }),
  z.object({ type: z.literal('noise') }),
  z.object({ type: z.literal('played'), clip: Clip }),
  z.object({ type: z.literal('mute'), muted: z.boolean() }),
  z.object({ type: z.literal('hangup') }),
  /** Answered at once, so that the browser notices a dead connection. */
  z.object({ type: z.literal('ping') }),
])

export type IncomingFrame = z.output<typeof Incoming>

export type ParsedFrame =
  | { kind: 'frame'; frame: IncomingFrame }
  | { kind: 'unknown' }
  | { kind: 'malformed' }

export function parseFrame(text: string): ParsedFrame {
  const value = text.length > CHARACTERS_MAX ? null : asJson(text)
  const parsed = Incoming.safeParse(value)
  if (parsed.success) return { kind: 'frame', frame: parsed.data }
  const type = (value as { type?: unknown } | null)?.type
  const isKnown = Incoming.options.some(({ shape }) => shape.type.value === type)
  return { kind: typeof type === 'string' && !isKnown ? 'unknown' : 'malformed' }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export type OutgoingFrame =
  | { type: 'ready'; callId: string; endsAt: string }
  | { type: 'state'; state: BrowserCallState }
  /** What an utterance's transcription says. Empty if nothing was said. */
  | { type: 'heard'; text: string }
  /** Part of the answer. Unless `audio` is false, the next binary message is its MP3. */
  | { type: 'clip'; clip: number; text: string; audio: boolean }
  /** Clips up to this one are not played any more. */
  | { type: 'stop'; clip: number }
  | { type: 'session'; sessionId: string }
  /** A member has to approve something or answer a question, in the conversation or the inbox. Null afterwards. */
  | { type: 'waiting'; for: string | null }
  /** The call goes on. */
  | { type: 'problem'; code: 'bad_recording' | 'too_fast' | 'transcription' | 'speech'; message: string }
  | { type: 'pong' }
  | { type: 'end'; reason: CallEnd }
