import type { ModelMessage } from 'ai'
import type { LanguageModel } from '../language-model.ts'

export type CallOptions = Parameters<LanguageModel['doStream']>[0]
type Prompt = CallOptions['prompt']
type PromptMessage = Prompt[number]
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
type ToolPart = Extract<PromptMessage, { role: 'tool' }>['content'][number]

/** The conversation in the format of the SDK. Providers refuse empty texts, and two consecutive messages with results. */
export function promptOf(system: string | undefined, messages: readonly ModelMessage[]): Prompt {
  const prompt: Prompt = system === undefined ? [] : [{ role: 'system', content: system }]
  for (const message of messages) {
    const next = promptMessage(message)
    const last = prompt.at(-1)
    if (last?.role === 'tool' && next.role === 'tool') last.content.push(...next.content)
    else prompt.push(next)
  }
  return prompt
}

function promptMessage({ role, content, providerOptions }: ModelMessage): PromptMessage {
  const options = providerOptions && { providerOptions }
  if (role === 'system') return { role, content, ...options }
  if (role === 'tool') return { role, content: content.map((part) => part as ToolPart), ...options }
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  if (role === 'assistant')
    return { role, content: parts.filter(isSendable).map((part) => part as AssistantPart), ...options }
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part] : []))
  return { role, content: texts.filter(isSendable), ...options }
}

/** An empty text can have options of the provider, such as a signature. */
const isSendable = (part: { type: string; text?: unknown; providerOptions?: unknown }) =>
  part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined
