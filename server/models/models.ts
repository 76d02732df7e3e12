import type { LanguageModel } from 'ai'
import type { ModelProvider } from '../config/model-providers.ts'

export interface CompletionRequest {
  /** The system prompt. */
  system: string
  prompt: string
  /** The limit for the whole call, retries included. */
  timeoutMs: number
}

export type Completion =
  | { kind: 'text'; text: string }
  /** No provider is configured. */
  | { kind: 'unavailable' }
  /** The reason is for the log: it contains no secrets and nothing of the prompt. */
  | { kind: 'failed'; provider: string; reason: string }

export type GenerateText = (request: CompletionRequest) => Promise<Completion>

const RETRIES = 1

/** Uses the first configured provider. The SDK is loaded with the first call, since most processes never make one. */
export function createGenerateText([provider]: ModelProvider[]): GenerateText {
  return async ({ timeoutMs, ...request }) => {
    if (!provider) return { kind: 'unavailable' }
    const abortSignal = AbortSignal.timeout(timeoutMs)
    try {
      const { generateText } = await import('ai')
      const model = await loadModel(provider)
      const { text } = await generateText({ model, ...request, abortSignal, maxRetries: RETRIES })
      return { kind: 'text', text }
    } catch (error) {
      const reason = abortSignal.aborted ? `no response within ${timeoutMs} ms` : failureReason(error)
      return { kind: 'failed', provider: provider.name, reason }
    }
  }
}

async function loadModel({ provider, name, url, apiKey, model }: ModelProvider): Promise<LanguageModel> {
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL: url, apiKey: apiKey ?? '' })(model)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ name, baseURL: url, apiKey: apiKey ?? undefined })(model)
}

/** The error's name and status. Its message is left out: it may repeat the request, keys included. */
function failureReason(error: unknown): string {
  const last = error instanceof Error && 'lastError' in error ? error.lastError : error
  if (!(last instanceof Error)) return 'unknown'
  const status = 'statusCode' in last && typeof last.statusCode === 'number' ? ` ${last.statusCode}` : ''
  return last.name + status
}
