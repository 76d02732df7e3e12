import type { LanguageModelUsage, ModelMessage, ProviderMetadata, StreamTextResult, ToolSet } from 'ai'
import { contentAttribute, modelSpan, responseAttributes } from '../telemetry/gen-ai.ts'
import { type ActiveTrace, endTrace, enterTrace, startSpan } from '../telemetry/tracing.ts'
import { type TokenUsage, usageOf } from './cost.ts'
import { classifyFailure, type ModelFailure } from './failures.ts'
import type { LanguageModel } from './language-model.ts'

export type { ModelMessage } from 'ai'

/** One request to a model. */
export interface ModelCall {
  model: LanguageModel
  system?: string
  messages: ModelMessage[]
  /** By name. Nothing runs them: their calls are events. */
  tools?: Record<string, ToolDeclaration>
  maxOutputTokens?: number
  temperature?: number
  /** Settings of one provider, by its name. */
  providerOptions?: Record<string, Record<string, JsonValue>>
  signal?: AbortSignal
  /** The longest pause between two parts of the stream. */
  pauseMaxMs?: number
  timeoutMs?: number
}

export interface ToolDeclaration {
  description: string
  /** A JSON Schema. */
  inputSchema: object
}

type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined }

export type CallEvent =
  | { type: 'text' | 'reasoning'; text: string }
  /** `invalid`: why the input does not fit; `input` is then what the model sent. */
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

const PAUSE_MAX_MS = 120_000
const TIMEOUT_MS = 1_800_000

/**
 * Streams one call, without retries. The last event is `finished` or `failed`: a refusal before the first byte, which
 * the SDK reports as a part of the stream, and a broken stream, which it throws, are the same event here.
 */
export function streamCall(call: ModelCall): AsyncGenerator<CallEvent> {
  const { model, maxOutputTokens, temperature } = call
  const trace = startSpan(() =>
    modelSpan({ provider: model.provider, model: model.modelId, maxTokens: maxOutputTokens, temperature }),
  )
  return trace ? streamTraced(call, trace) : streamPlain(call)
}

async function* streamPlain(call: ModelCall, trace?: ActiveTrace): AsyncGenerator<CallEvent> {
  try {
    yield* events(await (trace ? enterTrace(trace, () => start(call)) : start(call)))
  } catch (error) {
    yield { type: 'failed', failure: classifyFailure(error) }
  }
}

async function* streamTraced(call: ModelCall, trace: ActiveTrace): AsyncGenerator<CallEvent> {
  const { span, tracer } = trace
  if (tracer.capturesContent) span?.set(contentOf(call))
  try {
    for await (const event of streamPlain(call, trace)) {
      if (event.type === 'failed') span?.fail(event.failure.kind)
      if (event.type === 'finished') {
        span?.set(responseAttributes({ finish: event.finishReason, usage: event.usage }))
        if (tracer.capturesContent) span?.set(contentAttribute('gen_ai.output.messages', event.messages))
      }
      yield event
    }
  } finally {
    endTrace(trace)
  }
}

const contentOf = ({ system, messages }: ModelCall) => ({
  ...(system && contentAttribute('gen_ai.system_instructions', system)),
  ...contentAttribute('gen_ai.input.messages', messages),
})

async function start({ tools = {}, signal, pauseMaxMs, timeoutMs, ...call }: ModelCall) {
  const { jsonSchema, stepCountIs, streamText, tool } = await import('ai')
  // The SDK would print warnings, with parts of the prompt.
  globalThis.AI_SDK_LOG_WARNINGS = false
  const declared = Object.entries(tools).map(([name, { description, inputSchema }]) => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema) }),
  ])
  return streamText({
    ...call,
    tools: Object.fromEntries(declared) as ToolSet,
    stopWhen: stepCountIs(1),
    maxRetries: 0,
    timeout: { totalMs: timeoutMs ?? TIMEOUT_MS, chunkMs: pauseMaxMs ?? PAUSE_MAX_MS },
    ...(signal && { abortSignal: signal }),
    onError: () => {},
  }) as StreamTextResult<ToolSet, never>
}

async function* events(result: StreamTextResult<ToolSet, never>): AsyncGenerator<CallEvent> {
  let finish: {
    reason: FinishedCall['finishReason']
    usage: LanguageModelUsage
    metadata: ProviderMetadata | null
  } | null = null
  let hasCalls = false
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta' && part.text) yield { type: 'text', text: part.text }
    if (part.type === 'reasoning-delta' && part.text) yield { type: 'reasoning', text: part.text }
    if (part.type === 'tool-call') {
      hasCalls = true
      yield callEvent(part)
    }
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('The call was aborted', 'AbortError')
    if (part.type === 'finish-step')
      finish = { reason: part.finishReason, usage: part.usage, metadata: part.providerMetadata ?? null }
  }
  if (!finish) throw new Error('The stream ended without an end of the response')
  const { messages } = await result.response
  const { reason, usage, metadata: providerMetadata } = finish
  // Providers disagree on the reason of a response that ends with calls.
  const finishReason = hasCalls && (reason === 'stop' || reason === 'other') ? 'tool-calls' : reason
  yield { type: 'finished', finishReason, usage: usageOf(usage), messages, providerMetadata }
}

interface CallPart {
  toolCallId: string
  toolName: string
  input: unknown
  invalid?: boolean
  error?: unknown
}

const callEvent = ({ toolCallId, toolName, input, invalid, error }: CallPart): CallEvent => ({
  type: 'call',
  callId: toolCallId,
  tool: toolName,
  input,
  invalid: invalid ? (error instanceof Error ? error.message : 'The input is not valid') : null,
})
