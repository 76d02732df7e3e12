import { toDisplayName } from '../../contract/display-name.ts'
import { refuseInTransaction } from '../concurrency/work-scope.ts'
import type { ConfiguredProvider } from '../config/models.ts'
import { classifyFailure } from './failures.ts'
import { createLanguageModel } from './language-model.ts'
import { configuredProvider } from './registry.ts'
import { trustedFetch } from './trusted-fetch.ts'

interface CompletionRequest {
  system: string
  prompt: string
  /** Includes retries. */
  timeoutMs: number
}

type Completion =
  | { kind: 'text'; text: string }
  | { kind: 'unavailable' }
  /** Logged: contains no secrets and nothing from the prompt. */
  | { kind: 'failed'; provider: string; reason: string }

export type GenerateText = (request: CompletionRequest) => Promise<Completion>

const RETRIES = 1

/** For the server itself, such as names. */
export function createGenerateText(providers: readonly ConfiguredProvider[]): GenerateText {
  const provider = providers.find(({ namingModel }) => namingModel !== null)
  return async ({ timeoutMs, ...request }) => {
    refuseInTransaction('a language model')
    if (!provider) return { kind: 'unavailable' }
    const abortSignal = AbortSignal.timeout(timeoutMs)
    try {
      const { generateText } = await import('ai')
      // The SDK would print warnings containing parts of the prompt.
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

/** Omits the provider's message: it may repeat the request. */
function reasonOf(error: unknown): string {
  const { kind, status } = classifyFailure(error)
  return status === null ? kind : `${kind} ${status}`
}

/** Strips reasoning, quotes and Markdown. */
export function plainLine(answer: string, pointsMax: number): string {
  const line = answer
    .replace(/<think>.*?<\/think>/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/["“”„«»]/g, '')
    .replace(/^[\s'‘’`*#]+|[\s'‘’`*]+$/g, '')
  return toDisplayName(line, pointsMax)
}
