import type { ModelMessage, ProviderMetadata } from 'ai'
import { type TokenUsage, usageOf } from '../cost.ts'
import type { ModelFailure } from '../failures.ts'
import type { LanguageModel } from '../language-model.ts'
import { createResponse } from './response.ts'
import { parseToolInput } from './tool-input.ts'

export interface ToolDeclaration {
  description: string
  /** A JSON Schema. */
  inputSchema: object
}

export type CallEvent =
  | { type: 'text' | 'reasoning'; text: string }
  /** `invalid`: why the input does not fit; `input` is then the text of the model. */
  | { type: 'call'; callId: string; tool: string; input: unknown; invalid: string | null }
  | ({ type: 'finished' } & FinishedCall)
  /** The last event of a call that failed, before or after other events. */
  | { type: 'failed'; failure: ModelFailure }

export interface FinishedCall {
  finishReason: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
  usage: TokenUsage | null
  /** The messages to send with the next call, verbatim: with the signatures and ids of the provider. */
  messages: ModelMessage[]
  providerMetadata: ProviderMetadata | null
}

type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

/** The events of a response. `onPart` is called for each part, and throws to end the call. */
export async function* readStream(
  stream: ReadableStream<StreamPart>,
  tools: Record<string, ToolDeclaration>,
  onPart: () => void,
): AsyncGenerator<CallEvent> {
  const response = createResponse()
  let finish: Extract<StreamPart, { type: 'finish' }> | null = null
  let hasCalls = false
  for await (const part of stream) {
    onPart()
    switch (part.type) {
      case 'text-start':
        response.add('text', part.id, '', part.providerMetadata)
        break
      case 'text-delta':
        response.add('text', part.id, part.delta, part.providerMetadata)
        if (part.delta) yield { type: 'text', text: part.delta }
        break
      case 'text-end':
        response.add('text', part.id, '', part.providerMetadata)
        response.end('text', part.id)
        break
      case 'reasoning-start':
        response.add('reasoning', part.id, '', part.providerMetadata)
        break
      case 'reasoning-delta':
        response.add('reasoning', part.id, part.delta, part.providerMetadata)
        if (part.delta) yield { type: 'reasoning', text: part.delta }
        break
      case 'reasoning-end':
        response.add('reasoning', part.id, '', part.providerMetadata)
        response.end('reasoning', part.id)
        break
      case 'tool-call': {
        hasCalls = true
        const event = callEvent(part, tools)
        const { callId: toolCallId, tool: toolName, input, invalid } = event
        const sentInput = invalid !== null && typeof input !== 'object' ? {} : input
        const options = part.providerMetadata && { providerOptions: part.providerMetadata }
        response.put({ type: 'tool-call', toolCallId, toolName, input: sentInput, ...options })
        yield event
        break
      }
      case 'file': {
        const { mediaType, data } = part
        const text = typeof data === 'string' ? data : Buffer.from(data).toString('base64')
        response.put({ type: 'file', data: text, mediaType })
        break
      }
      case 'error':
        throw part.error
      case 'finish':
        finish = part
    }
  }
  if (!finish) throw new Error('The stream ended before the response was complete')
  const { unified: reason } = finish.finishReason
  // Providers disagree on the reason of a response that ends with calls.
  const finishReason = hasCalls && (reason === 'stop' || reason === 'other') ? 'tool-calls' : reason
  const providerMetadata = finish.providerMetadata ?? null
  yield {
    type: 'finished',
    finishReason,
    usage: usageOf(finish.usage),
    messages: response.messages(),
    providerMetadata,
  }
}

interface CallPart {
  toolCallId: string
  toolName: string
  input: string
}

function callEvent(
  { toolCallId, toolName, input: text }: CallPart,
  tools: Record<string, ToolDeclaration>,
): Extract<CallEvent, { type: 'call' }> {
  const { input, problem } = parseToolInput(text)
  const unknownTool = Object.hasOwn(tools, toolName) ? null : `There is no tool ${toolName}`
  return { type: 'call', callId: toolCallId, tool: toolName, input, invalid: unknownTool ?? problem }
}
