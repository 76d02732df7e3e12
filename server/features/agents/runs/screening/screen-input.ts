import type { ModelMessage } from '../../../../language-models/stream-call.ts'
import { sha256 } from '../../../../security/digest.ts'
import {
  type ActiveRule,
  isModelRule,
  type PartRule,
  type RuleMatches,
  screenText,
} from '../../guardrails/guardrails.ts'
import type { ScreeningRules } from './screening.ts'

export interface ScreenedInput {
  messages: ModelMessage[]
  blockedBy: ActiveRule | null
  /** The matches in the messages that the model has not answered yet. */
  matched: RuleMatches[]
}

/**
 * Applies the rules for input to messages of people and summaries. The model never receives text that a rule redacts or
 * blocks: a rule that blocks ends the run for a message without an answer, and redacts its matches in earlier messages.
 */
export async function screenInput(
  { rules: { input: rules }, judge }: ScreeningRules,
  messages: ModelMessage[],
): Promise<ScreenedInput> {
  if (rules.length === 0) return { messages, blockedBy: null, matched: [] }
  const newest = messages.findLastIndex(({ role }) => role === 'assistant') + 1
  const matched: RuleMatches[] = []
  let blockedBy: ActiveRule | null = null
  const screened: ModelMessage[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'user') screened.push(message)
    else if (index < newest) screened.push(await mapText(message, (text) => redact(rules, text)))
    else
      screened.push(
        await mapText(message, async (text) => {
          const result = await screenText(rules, text, judge)
          matched.push(...result.matched)
          blockedBy ??= result.blockedBy
          return result.value
        }),
      )
  }
  return { messages: screened, blockedBy, matched }
}

/** Messages of people without text that rules redact or block. */
export const redactMessages = (
  rules: readonly ActiveRule[],
  messages: ModelMessage[],
): Promise<ModelMessage[]> =>
  Promise.all(
    messages.map(async (message) =>
      message.role === 'user' ? mapText(message, (text) => redact(rules, text)) : message,
    ),
  )

async function mapText(
  message: Extract<ModelMessage, { role: 'user' }>,
  change: (text: string) => Promise<string>,
): Promise<ModelMessage> {
  if (typeof message.content === 'string') return { ...message, content: await change(message.content) }
  const content: typeof message.content = []
  for (const part of message.content)
    content.push(part.type === 'text' ? { ...part, text: await change(part.text) } : part)
  return { ...message, content }
}

/** Caches the results of rules for texts that every step of a conversation repeats. */
const redactionCache = new WeakMap<ActiveRule, Map<string, string>>()
const CACHED_TEXTS_MAX = 500

/** Removes the matches of rules that redact or block; models are not called again for earlier texts. */
export async function redact(rules: readonly ActiveRule[], text: string): Promise<string> {
  let value = text
  for (const rule of rules)
    if (!isModelRule(rule) && rule.action !== 'flag') value = await redactOne(rule, value)
  return value
}

async function redactOne(rule: PartRule, text: string): Promise<string> {
  const results = redactionCache.get(rule) ?? new Map<string, string>()
  redactionCache.set(rule, results)
  const key = sha256(text).toString('base64url')
  const result =
    results.get(key) ??
    (await screenText([{ ...rule, action: 'redact' }], text, async () => 'no match')).value
  if (results.size >= CACHED_TEXTS_MAX) results.clear()
  results.set(key, result)
  return result
}
