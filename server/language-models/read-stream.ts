import type { ModelMessage, ProviderMetadata } from 'ai'
import { refusePrototype } from '../security/refuse-prototype.ts'
import { type TokenUsage, toTokenUsage } from './cost.ts'
import type { ModelFailure } from './failures.ts'
import type { LanguageModel } from './language-model.ts'

export interface ToolDeclaration {
  description: string
  inputSchema: object
}

export type CallEvent =
  | { type: 'text' | 'reasoning'; text: string }
  /** `invalid`: why the input doesn't fit. `input` is then the model's text. */
  | { type: 'call'; callId: string; tool: string; input: unknown; invalid: string | null }
  | ({ type: 'finished' } & FinishedCall)
  /** Always the last event. */
  | { type: 'failed'; failure: ModelFailure }

export interface FinishedCall {
  finishReason: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
  usage: TokenUsage | null
  /** For the next call, verbatim, with provider signatures and ids. */
  messages: ModelMessage[]
  providerMetadata: ProviderMetadata | null
}

type StreamPart =
  Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

/** `onPart` throws to end the call. */
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
  // Providers disagree on the reason when a response ends with calls.
  const finishReason = hasCalls && (reason === 'stop' || reason === 'other') ? 'tool-calls' : reason
  const providerMetadata = finish.providerMetadata ?? null
  yield {
    type: 'finished',
    finishReason,
    usage: toTokenUsage(finish.usage),
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

type Content = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>
type Part = Content[number]
type Options = CallOptions['providerOptions']

interface OpenPart {
  type: 'text' | 'reasoning'
  text: string
  providerOptions?: Options
}

/** Sent back verbatim: in the order parts began, with provider signatures and ids. A part's last metadata counts. */
function createResponse() {
  const content: (OpenPart | Part)[] = []
  const openParts = new Map<string, OpenPart>()

  function partOf(type: OpenPart['type'], id: string): OpenPart {
    const existing = openParts.get(`${type} ${id}`)
    if (existing) return existing
    const part: OpenPart = { type, text: '' }
    openParts.set(`${type} ${id}`, part)
    content.push(part)
    return part
  }

  return {
    add(type: OpenPart['type'], id: string, text: string, options: Options): void {
      const part = partOf(type, id)
      part.text += text
      if (options) part.providerOptions = options
    },
    /** A later part may reuse the id. */
    end(type: OpenPart['type'], id: string): void {
      openParts.delete(`${type} ${id}`)
    },
    put(part: Part): void {
      content.push(part)
    },
    messages(): ModelMessage[] {
      const parts = content.filter((part) => part.type !== 'text' || part.text !== '') as Content
      return parts.length > 0 ? [{ role: 'assistant', content: parts }] : []
    },
  }
}

type ToolInput = { input: unknown; problem: null } | { input: string; problem: string }

function parseToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {}, problem: null }
  try {
    return { input: JSON.parse(text, refusePrototype), problem: null }
  } catch (error) {
    return { input: text, problem: `The input is not valid JSON: ${(error as Error).message}` }
  }
}

export type CallOptions = Parameters<LanguageModel['doStream']>[0]
type Prompt = CallOptions['prompt']
type PromptMessage = Prompt[number]
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number]
type ToolPart = Extract<PromptMessage, { role: 'tool' }>['content'][number]

/** Providers reject empty texts and consecutive result messages. */
export function toPrompt(system: string | undefined, messages: readonly ModelMessage[]): Prompt {
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
  const sent = parts.flatMap((part) =>
    part.type === 'text' || part.type === 'file' ? [part as UserPart] : [],
  )
  return { role, content: sent.filter(isSendable), ...options }
}

/** An empty text can carry provider options, such as a signature. */
const isSendable = (part: { type: string; text?: unknown; providerOptions?: unknown }) =>
  part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined
