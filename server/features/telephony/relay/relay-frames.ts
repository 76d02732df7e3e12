import { z } from 'zod'
import { sanitizeJson, sanitizeText } from '../../../inbound/sanitize.ts'

const cleanText = (max: number) => z.string().max(max).transform(sanitizeText)

const FRAMES = {
  setup: z.object({ type: z.literal('setup'), callSid: z.string().min(1).max(64) }),
  prompt: z.object({
    type: z.literal('prompt'),
    voicePrompt: cleanText(20_000),
    lang: z.string().max(35).optional(),
    last: z.boolean().default(true),
  }),
  interrupt: z.object({
    type: z.literal('interrupt'),
    utteranceUntilInterrupt: cleanText(50_000).default(''),
    durationUntilInterruptMs: z.coerce.number().optional(),
  }),
  dtmf: z.object({ type: z.literal('dtmf'), digit: z.string().regex(/^[0-9*#A-D]$/) }),
  error: z.object({ type: z.literal('error'), description: cleanText(5000).default('') }),
}

type FrameType = keyof typeof FRAMES
export type IncomingFrame = { [T in FrameType]: z.output<(typeof FRAMES)[T]> }[FrameType]

export type ParsedFrame =
  | { kind: 'frame'; frame: IncomingFrame }
  | { kind: 'unknown' }
  | { kind: 'malformed'; reason: string }

export function parseFrame(text: string): ParsedFrame {
  const value = asJson(text)
  const type = (value as { type?: unknown } | null | undefined)?.type
  if (typeof type !== 'string') return { kind: 'malformed', reason: 'not a JSON object with a type' }
  if (!Object.hasOwn(FRAMES, type)) return { kind: 'unknown' }
  const parsed = FRAMES[type as FrameType].safeParse(value)
  if (parsed.success) return { kind: 'frame', frame: parsed.data }
  const [issue] = parsed.error.issues
  return { kind: 'malformed', reason: `${type}.${issue!.path.join('.')}`.slice(0, 100) }
}

function asJson(text: string): unknown {
  try {
    return sanitizeJson(JSON.parse(text))
  } catch {
    return null
  }
}

export type OutgoingFrame =
  | { type: 'text'; token: string; last: boolean; interruptible?: boolean; preemptible?: boolean }
  | { type: 'sendDigits'; digits: string }
  | { type: 'language'; ttsLanguage: string; transcriptionLanguage: string }
  | { type: 'end'; handoffData: string }
