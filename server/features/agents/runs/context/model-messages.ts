import type { ModelMessage } from '../../../../language-models/stream-call.ts'
import type { MessagePart, MessageRow } from '../../conversations/conversations.ts'
import { isImagePart } from '../state/image-parts.ts'
import { isFilePart, type ShowDocument } from './documents.ts'

export const toModelMessage = ({ role, content }: MessageRow, show: ShowDocument) =>
  ({
    role,
    content: content
      .map((part) => (isFilePart(part) ? { type: 'text', text: show(part) } : part))
      .flatMap(withImageLine)
      .map(withValidCall),
  }) as unknown as ModelMessage

/** So that the model can name the file to its tools. A block's image follows the block's line. */
function withImageLine(part: MessagePart): MessagePart[] {
  if (!isImagePart(part) || part.blockId !== undefined) return [part]
  const name = typeof part.name === 'string' ? `: ${JSON.stringify(part.name)}` : ''
  return [{ type: 'text', text: `[Attached file${name}, id ${part.fileId}]` }, part]
}

/**
 * Providers refuse a conversation with an invalid tool name or an input that isn't an object, so every later call would
 * fail.
 */
function withValidCall(part: MessagePart): MessagePart {
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return part
  const toolName =
    String(part.toolName)
      .replace(/[^\w-]/g, '_')
      .slice(0, 64) || 'unknown'
  const isObject = typeof part.input === 'object' && part.input !== null && !Array.isArray(part.input)
  if (part.type === 'tool-result' || isObject) return { ...part, toolName }
  return { ...part, toolName, input: { invalid: part.input ?? null } }
}

/** Several providers can share an API. */
export const withSigner = (content: MessagePart[], model: string): MessagePart[] =>
  content.map((part) => (part.type === 'reasoning' ? { ...part, signer: providerOf(model) } : part))

/** Reasoning is signed by its provider, and others refuse it. Drops empty messages. */
export function withoutForeignReasoning(messages: ModelMessage[], model: string): ModelMessage[] {
  const provider = providerOf(model)
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message]
    const content = message.content.flatMap((part): (typeof part)[] => {
      if (part.type !== 'reasoning') return [part]
      const { signer, ...verbatim } = part as typeof part & { signer?: string }
      return isSignedBy(provider, signer, verbatim.providerOptions ?? {}) ? [verbatim] : []
    })
    return content.length > 0 ? [{ ...message, content }] : []
  })
}

const providerOf = (model: string) => model.slice(0, model.indexOf('/'))

/** Before 0.6, messages had no signer. Their options name the API, which is most providers' id. */
const isSignedBy = (provider: string, signer: string | undefined, options: object) =>
  signer === undefined ? provider in options : signer === provider && Object.keys(options).length > 0
