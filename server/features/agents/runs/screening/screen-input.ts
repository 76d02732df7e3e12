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
  /** In messages the model hasn't answered yet. */
  matched: RuleMatches[]
}

/**
 * Covers user messages and summaries. The model never receives redacted or blocked text: a blocking rule ends the run
 * for an unanswered message, and redacts its matches in earlier ones.
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

/** Every step repeats the conversation's texts. */
const redactionCache = new WeakMap<ActiveRule, Map<string, string>>()
const CACHED_TEXTS_MAX = 500

/** Covers redacting and blocking rules. Doesn't call models again. */
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
