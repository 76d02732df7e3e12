import { toDisplayName } from '../../contract/display-name.ts'
import { refuseInTransaction } from '../concurrency/work-scope.ts'
import type { ConfiguredProvider } from '../config/models.ts'
import { classifyFailure } from './failures.ts'
import { createLanguageModel } from './language-model.ts'
import { configuredProvider } from './registry.ts'
import { trustedFetch } from './trusted-fetch.ts'

interface CompletionRequest {
  /** The system prompt. */
  system: string
  prompt: string
  /** The limit for the whole call, retries included. */
  timeoutMs: number
}

type Completion =
  | { kind: 'text'; text: string }
  /** No provider is configured. */
  | { kind: 'unavailable' }
  /** The reason is for the log: it contains no secrets and nothing of the prompt. */
  | { kind: 'failed'; provider: string; reason: string }

export type GenerateText = (request: CompletionRequest) => Promise<Completion>

const RETRIES = 1

/** Generates short texts for the server itself, such as names, with the first provider that has a model for it. */
export function createGenerateText(providers: readonly ConfiguredProvider[]): GenerateText {
  const provider = providers.find(({ namingModel }) => namingModel !== null)
  return async ({ timeoutMs, ...request }) => {
    refuseInTransaction('a language model')
    if (!provider) return { kind: 'unavailable' }
    const abortSignal = AbortSignal.timeout(timeoutMs)
    try {
      const { generateText } = await import('ai')
      // The SDK would print warnings, with parts of the prompt.
      globalThis.AI_SDK_LOG_WARNINGS = false
      const model = await createLanguageModel(
        configuredProvider(provider),
        provider.namingModel!,
        trustedFetch,
      )
      const { text } = await generateText({ model, ...request, abortSignal, maxRetries: RETRIES })
      return { kind: 'text', text }
    } catch (error) {
      const reason = abortSignal.aborted ? `no response within ${timeoutMs} ms` : reasonOf(error)
      return { kind: 'failed', provider: provider.name, reason }
    }
  }
}

/** The kind and the status. The message of the provider is left out: it may repeat the request. */
function reasonOf(error: unknown): string {
  const { kind, status } = classifyFailure(error)
  return status === null ? kind : `${kind} ${status}`
}

/** The output of a model as a name: one line, without reasoning, quotes and Markdown. */
export function plainLine(answer: string, pointsMax: number): string {
  const line = answer
    .replace(/<think>.*?<\/think>/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/["“”„«»]/g, '')
    .replace(/^[\s'‘’`*#]+|[\s'‘’`*]+$/g, '')
  return toDisplayName(line, pointsMax)
}
