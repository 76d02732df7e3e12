import type { ModelMessage } from '../../../models/stream-call.ts'
import type { MessagePart, MessageRow } from '../../sessions/sessions.ts'

export const toModelMessage = ({ role, content }: MessageRow) =>
  ({ role, content: content.map(acceptable) }) as unknown as ModelMessage

/**
 * A model may call a tool with an impossible name or with an input that is no object. Providers refuse a conversation that
 * repeats such a call, so every later call would fail.
 */
function acceptable(part: MessagePart): MessagePart {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  const toolName =
    String(part.toolName)
      .replace(/[^\w-]/g, '_')
      .slice(0, 64) || 'unknown'
  const isObject = typeof part.input === 'object' && part.input !== null && !Array.isArray(part.input)
  if (part.type === 'tool-result' || isObject) return { ...part, toolName }
  return { ...part, toolName, input: { invalid: part.input ?? null } }
}

/** Reasoning is signed by its provider: another one refuses it. A message of which nothing is left is left out. */
export function withoutForeignReasoning(messages: ModelMessage[], model: string): ModelMessage[] {
  const provider = model.slice(0, model.indexOf('/'))
  return messages.flatMap((message) => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message]
    const content = message.content.filter(
      (part) => part.type !== 'reasoning' || provider in (part.providerOptions ?? {}),
    )
    return content.length > 0 ? [{ ...message, content }] : []
  })
}
