import type { ModelMessage } from 'ai'
import { refuseInTransaction } from '../concurrency/work-scope.ts'
import { contentAttribute, modelSpan, responseAttributes } from '../observability/gen-ai.ts'
import { type ActiveTrace, endTrace, enterTrace, startSpan } from '../observability/tracing.ts'
import { classifyFailure } from './failures.ts'
import type { LanguageModel } from './language-model.ts'
import { cachePrompt, type PromptCache } from './prompt-cache.ts'
import {
  type CallEvent,
  type CallOptions,
  readStream,
  type ToolDeclaration,
  toPrompt,
} from './read-stream.ts'
import {
  isFormatRefused,
  rememberRefusedFormat,
  type StructuredOutput,
  structuredRequest,
} from './structured-output/request.ts'

export type { ModelMessage } from 'ai'
export type { CallEvent, FinishedCall, ToolDeclaration } from './read-stream.ts'

export interface ModelCall {
  model: LanguageModel
  system?: string
  messages: ModelMessage[]
  /** By name. Not executed here: calls become events. */
  tools?: Record<string, ToolDeclaration>
  maxOutputTokens?: number
  temperature?: number
  providerOptions?: Record<string, Record<string, JsonValue>>
  /** The answer's format. A model without structured output reads it in the prompt only. */
  output?: Omit<StructuredOutput, 'hasTools'>
  /** Without it, the provider is not asked to cache the prompt: writing to a cache costs more than input. */
  cache?: PromptCache
  signal?: AbortSignal
  pauseMaxMs?: number
  /** Replaces `pauseMaxMs`, and applies before the first part too. */
  silenceMaxMs?: number
  timeoutMs?: number
}

type JsonValue = null | string | number | boolean | JsonValue[] | { [key: string]: JsonValue | undefined }

const PAUSE_MAX_MS = 120_000
const TIMEOUT_MS = 1_800_000

/**
 * No retries. The last event is `finished` or `failed`, whether the call was refused, errored or broke off. Bypasses
 * the SDK's loop, which validates the whole conversation and pipes parts through several streams: a short call took 6.1
 * ms CPU time with it, and takes 2.4 ms without.
 */
export function streamCall(call: ModelCall): AsyncGenerator<CallEvent> {
  refuseInTransaction('a language model')
  const { model, maxOutputTokens, temperature } = call
  const trace = startSpan(() =>
    modelSpan({ provider: model.provider, model: model.modelId, maxTokens: maxOutputTokens, temperature }),
  )
  return trace ? streamTraced(call, trace) : streamPlain(call)
}

/** A call that the provider refuses because of its format is made again without one. */
async function* streamPlain(call: ModelCall, trace?: ActiveTrace): AsyncGenerator<CallEvent> {
  const output = outputOf(call)
  let hasStarted = false
  try {
    for await (const event of streamEvents(call, output, trace)) {
      hasStarted = true
      yield event
    }
  } catch (error) {
    const failure = classifyFailure(error)
    if (hasStarted || output === null || failure.kind !== 'invalid_request') {
      yield { type: 'failed', failure }
      return
    }
    rememberRefusedFormat(call.model, output)
    yield* streamPlain(call, trace)
  }
}

function outputOf({ model, output, tools = {} }: ModelCall): StructuredOutput | null {
  if (!output) return null
  const structured = { ...output, hasTools: Object.keys(tools).length > 0 }
  return isFormatRefused(model, structured) || !structuredRequest(model, structured) ? null : structured
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
  ...contentAttribute('gen_ai.input.messages', messages.map(withoutBytes)),
})

/** A trace says only that there was an image. */
const withoutBytes = (message: ModelMessage): unknown =>
  JSON.parse(JSON.stringify(message, (_, value) => (hasBytes(value) ? { ...value, data: '…' } : value)))

const hasBytes = (value: unknown): value is { data: string } => {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown }
  return (type === 'file' || type === 'image-data') && typeof data === 'string' && data !== '…'
}

/** Every agent step declares the same tools. */
const declarations = new WeakMap<object, NonNullable<CallOptions['tools']>>()

function declare(tools: Record<string, ToolDeclaration>): Pick<CallOptions, 'tools' | 'toolChoice'> {
  const cached = declarations.get(tools)
  const declared =
    cached ??
    Object.entries(tools).map(([name, { description, inputSchema }]) => ({
      type: 'function' as const,
      name,
      description,
      inputSchema,
    }))
  declarations.set(tools, declared)
  return declared.length > 0 ? { tools: declared, toolChoice: { type: 'auto' } } : {}
}

async function* streamEvents(
  call: ModelCall,
  output: StructuredOutput | null,
  trace?: ActiveTrace,
): AsyncGenerator<CallEvent> {
  const { model, system, messages, tools = {}, maxOutputTokens, temperature } = call
  const { providerOptions, ...request } = (output && structuredRequest(model, output)) ?? {}
  const limit = createTimeLimit({
    totalMs: call.timeoutMs ?? TIMEOUT_MS,
    pauseMs: call.silenceMaxMs ?? call.pauseMaxMs ?? PAUSE_MAX_MS,
    startsAtOnce: call.silenceMaxMs !== undefined,
    signal: call.signal,
  })
  const options: CallOptions = {
    prompt: toPrompt(system, messages),
    ...declare(tools),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...request,
    ...((call.providerOptions ?? providerOptions) && {
      providerOptions: mergeOptions(call.providerOptions, providerOptions),
    }),
    abortSignal: limit.signal,
  }
  const start = async () => {
    limit.signal.throwIfAborted()
    return model.doStream(call.cache ? cachePrompt(options, call.cache) : options)
  }
  try {
    const { stream } = await (trace ? enterTrace(trace, start) : start())
    yield* readStream(stream, tools, () => limit.progress())
  } finally {
    limit.end()
  }
}

const mergeOptions = (
  own: ModelCall['providerOptions'] = {},
  added: CallOptions['providerOptions'] = {},
): NonNullable<CallOptions['providerOptions']> =>
  Object.fromEntries(
    [...new Set([...Object.keys(own), ...Object.keys(added)])].map((provider) => [
      provider,
      { ...own[provider], ...added[provider] } as NonNullable<CallOptions['providerOptions']>[string],
    ]),
  )

interface TimeLimits {
  totalMs: number
  /** Applies from the first part on, unless it starts at once. */
  pauseMs: number
  startsAtOnce: boolean
  signal: AbortSignal | undefined
}

function createTimeLimit({ totalMs, pauseMs, startsAtOnce, signal }: TimeLimits) {
  const abort = new AbortController()
  const total = setTimeout(() => abort.abort(timeout(`did not finish within ${totalMs} ms`)), totalMs)
  const startPause = () => setTimeout(() => abort.abort(timeout(`sent nothing for ${pauseMs} ms`)), pauseMs)
  let pause = startsAtOnce ? startPause() : undefined
  const onAbort = () => abort.abort(signal!.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: abort.signal,
    progress(): void {
      abort.signal.throwIfAborted()
      if (pause) pause.refresh()
      else pause = startPause()
    },
    end(): void {
      clearTimeout(total)
      clearTimeout(pause)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

const timeout = (problem: string) => new DOMException(`The provider ${problem}`, 'TimeoutError')
