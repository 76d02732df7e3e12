import type { ModelCall, ModelMessage } from './stream-call.ts'

type ReasoningLevel = 'off' | 'low' | 'medium' | 'high'
type Level = Exclude<ReasoningLevel, 'off'>
type ProviderKind = 'openai' | 'anthropic' | 'google' | 'openai-compatible' | 'ollama' | 'test'

/** In tokens, for models that don't accept a level. */
const BUDGETS: Record<Level, number> = { low: 2048, medium: 8192, high: 24_576 }

/** Claude up to 4.5 takes a token budget. Later models take an effort level. */
const WITH_BUDGET = /claude-(3|(opus|sonnet|haiku)-4(-[0-5])?(-\d{6,}|$|@))/

/** Without a level, the provider decides. */
export function reasoningOptions(
  kind: ProviderKind,
  model: string,
  level: ReasoningLevel,
  messages: readonly ModelMessage[],
): Pick<ModelCall, 'providerOptions'> {
  if (level === 'off') return {}
  if (kind === 'anthropic' && WITH_BUDGET.test(model) && hasUnreasonedCall(messages)) return {}
  if (kind === 'anthropic') return { providerOptions: { anthropic: anthropicOptions(model, level) } }
  if (kind === 'google')
    return { providerOptions: { google: { thinkingConfig: googleOptions(model, level) } } }
  if (kind === 'openai') return { providerOptions: { openai: { reasoningEffort: level } } }
  return { providerOptions: { openaiCompatible: { reasoningEffort: level } } }
}

type Options = NonNullable<ModelCall['providerOptions']>[string]

const anthropicOptions = (model: string, level: Level): Options =>
  WITH_BUDGET.test(model)
    ? { thinking: { type: 'enabled', budgetTokens: BUDGETS[level] } }
    : { thinking: { type: 'adaptive' }, effort: level }

const googleOptions = (model: string, level: Level) => ({
  includeThoughts: true,
  ...(model.includes('gemini-2') ? { thinkingBudget: BUDGETS[level] } : { thinkingLevel: level }),
})

/**
 * Another provider's tool call lacks signed reasoning. Claude models with a token budget reject such a turn while
 * reasoning is on, until the next user message.
 */
function hasUnreasonedCall(messages: readonly ModelMessage[]): boolean {
  // A message directly after a result is sent with it and begins no turn.
  const start = messages.findLastIndex(
    ({ role }, index) => role === 'user' && messages[index - 1]?.role !== 'tool',
  )
  const turn = messages.slice(start + 1)
  return turn.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some(({ type }) => type === 'tool-call') &&
      content[0]?.type !== 'reasoning',
  )
}
