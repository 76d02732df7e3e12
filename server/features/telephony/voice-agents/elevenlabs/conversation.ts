import { z } from 'zod'
import { sanitizeText } from '../../../../inbound/sanitize.ts'

const TEXT_MAX = 10_000
const ITEMS_MAX = 20_000

/** Truncates. Other types count as absent. */
const boundedText = (max: number) =>
  z
    .string()
    .transform((text) => sanitizeText(text).trim().slice(0, max))
    .nullish()
    .catch(null)
const seconds = z.number().min(0).max(10_000_000_000).nullish().catch(null)

const PhoneCall = z
  .object({
    direction: z.enum(['inbound', 'outbound']).nullish().catch(null),
    agent_number: boundedText(40),
    external_number: boundedText(40),
    call_sid: boundedText(100),
  })
  .nullish()
  .catch(null)

const TranscriptItem = z.object({
  role: z.enum(['user', 'agent']),
  message: boundedText(TEXT_MAX),
  time_in_call_secs: seconds,
})

export const PostCall = z.object({
  type: z.string().max(100),
  data: z.object({
    agent_id: z.string().min(1).max(100),
    conversation_id: z.string().min(1).max(200),
    transcript: z
      .array(z.unknown())
      .max(ITEMS_MAX)
      .transform((items) => items.flatMap((item) => TranscriptItem.safeParse(item).data ?? []))
      .nullish()
      .catch(null),
    metadata: z
      .object({
        start_time_unix_secs: seconds,
        accepted_time_unix_secs: seconds,
        call_duration_secs: seconds,
        cost_fiat: z.number().min(0).max(100_000).nullish().catch(null),
        termination_reason: boundedText(500),
        phone_call: PhoneCall,
      })
      .nullish()
      .catch(null),
    analysis: z
      .object({ transcript_summary: boundedText(4000) })
      .nullish()
      .catch(null),
    failure_reason: boundedText(500),
    full_audio: z.string().nullish().catch(null),
  }),
})
export type PostCall = z.output<typeof PostCall>
export type Conversation = PostCall['data']

/** One side's consecutive words. */
export interface Utterance {
  role: 'user' | 'agent'
  text: string
  /** Since the call began. */
  seconds: number | null
}

export function toUtterances({ transcript }: Conversation): Utterance[] {
  const utterances: Utterance[] = []
  for (const { role, message, time_in_call_secs: at } of transcript ?? []) {
    if (!message) continue
    const last = utterances.at(-1)
    if (last?.role === role && last.text.length + message.length < TEXT_MAX) last.text += `\n${message}`
    else utterances.push({ role, text: message, seconds: at ?? null })
  }
  return utterances
}

/** A caller's number comes from the network and proves no identity. */
export function callParties({ metadata }: Conversation) {
  const phone = metadata?.phone_call
  const direction = phone?.direction ?? undefined
  const ownNumber = phone?.agent_number || undefined
  const externalNumber = phone?.external_number || undefined
  return direction === 'outbound'
    ? { direction, from: ownNumber, to: externalNumber, ownNumber }
    : { direction, from: externalNumber, to: ownNumber, ownNumber }
}
