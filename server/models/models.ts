import type { LanguageModel } from 'ai'
import type { ModelProvider } from '../config/model-providers.ts'

/** What is asked of a language model. */
export interface Question {
  /** What it is to do. */
  system: string
  prompt: string
  /** How long it may take, with everything. */
  withinMs: number
}

export type Completion =
  | { kind: 'text'; text: string }
  /** No provider is configured. */
  | { kind: 'unavailable' }
  /** In words for the log: no secrets, nothing of what was asked. */
  | { kind: 'failed'; provider: string; reason: string }

export type Complete = (question: Question) => Promise<Completion>

const RETRIES = 1

/**
 * Asks the first provider that is configured. What speaks to them is loaded with the first question, since most starts
 * never ask one.
 */
export function openModels([provider]: ModelProvider[]): Complete {
  return async ({ withinMs, ...question }) => {
    if (!provider) return { kind: 'unavailable' }
    const abortSignal = AbortSignal.timeout(withinMs)
    try {
      const { generateText } = await import('ai')
      const model = await modelOf(provider)
      const { text } = await generateText({ model, ...question, abortSignal, maxRetries: RETRIES })
      return { kind: 'text', text }
    } catch (error) {
      const reason = abortSignal.aborted ? `no answer within ${withinMs} ms` : reasonOf(error)
      return { kind: 'failed', provider: provider.name, reason }
    }
  }
}

async function modelOf({ provider, name, url, apiKey, model }: ModelProvider): Promise<LanguageModel> {
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL: url, apiKey: apiKey ?? '' })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ name, baseURL: url, apiKey: apiKey ?? undefined })(model)
}

/** The name of a failure and its status; its message may repeat what was sent, keys included. */
function reasonOf(error: unknown): string {
  const last = error instanceof Error && 'lastError' in error ? error.lastError : error
  if (!(last instanceof Error)) return 'unknown'
  const status = 'statusCode' in last && typeof last.statusCode === 'number' ? ` ${last.statusCode}` : ''
  return last.name + status
}
