import { classifyFailure, failureWords, toLine } from './failures.ts'
import { createLanguageModel } from './language-model.ts'
import { limitBytes } from './limit-bytes.ts'
import { listModels } from './listing/catalog.ts'
import { type ListedModel, ListingError } from './listing/listing.ts'
import type { ModelProvider } from './provider.ts'

const LIST_TIMEOUT_MS = 15_000
const CALL_TIMEOUT_MS = 30_000
/** Reasoning models refuse less than 16. */
const OUTPUT_TOKENS_MAX = 64
const ANSWER_BYTES_MAX = 1_048_576
const REPLY_LENGTH_MAX = 200

interface Trial {
  ok: boolean
  problem: string | null
  words: string | null
  status: number | null
  models: readonly ListedModel[]
  model: string | null
  reply: string | null
  durationMs: number | null
}

const FAILED: Trial = {
  ...{ ok: false, problem: null, words: null, status: null, models: [] },
  ...{ model: null, reply: null, durationMs: null },
}

interface TrialOptions {
  model?: string | undefined
  fetch: typeof globalThis.fetch
  signal?: AbortSignal | undefined
}

/** A model list alone doesn't prove that the key may call a model or has credit, so it calls one. */
export async function tryProvider(
  provider: ModelProvider,
  { model: chosen, fetch, signal }: TrialOptions,
): Promise<Trial> {
  const within = (timeoutMs: number) =>
    AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  const options = { fetch, signal: within(LIST_TIMEOUT_MS) }
  const listed = await listModels(provider, options).catch((error: unknown) => {
    if (error instanceof ListingError) return error
    throw error
  })
  if (listed instanceof ListingError) {
    const { message, words, status = null } = listed
    return { ...FAILED, problem: message, words, status }
  }
  signal?.throwIfAborted()
  const model = chosen ?? suggestModel(provider.kind, listed)
  if (model === null) return { ...FAILED, problem: 'The provider lists no models: enter their names' }
  const startedAt = performance.now()
  try {
    const { generateText } = await import('ai')
    // The SDK would print warnings.
    globalThis.AI_SDK_LOG_WARNINGS = false
    const { text } = await generateText({
      model: await createLanguageModel(provider, model, limitBytes(fetch, { bytesMax: ANSWER_BYTES_MAX })),
      prompt: 'Reply with the word: Ready',
      maxOutputTokens: OUTPUT_TOKENS_MAX,
      maxRetries: 0,
      abortSignal: within(CALL_TIMEOUT_MS),
    })
    const durationMs = Math.round(performance.now() - startedAt)
    const reply = toLine(text).slice(0, REPLY_LENGTH_MAX).toWellFormed()
    return { ...FAILED, ok: true, models: listed, model, reply, durationMs }
  } catch (error) {
    const { message, status } = classifyFailure(error)
    return { ...FAILED, problem: message, words: failureWords(error), status, models: listed, model }
  }
}

/** Capable, but not the most expensive. Of several, the newest. */
const PREFERRED: Partial<Record<ModelProvider['kind'], readonly RegExp[]>> = {
  openai: [/^gpt-5(\.\d+)?$/, /^gpt-4\.1$/, /^gpt-/],
  anthropic: [/^claude-sonnet-/, /^claude-.*sonnet/, /^claude-/],
  google: [/^gemini-[\d.]+-flash$/, /^gemini-[\d.]+-pro$/, /^gemini-/],
}

export function suggestModel(kind: ModelProvider['kind'], models: readonly ListedModel[]): string | null {
  for (const pattern of PREFERRED[kind] ?? []) {
    const matches = models.filter(({ id }) => pattern.test(id))
    const newest = matches.toSorted(
      (left, right) =>
        (right.created ?? 0) - (left.created ?? 0) ||
        right.id.localeCompare(left.id, 'en', { numeric: true }),
    )[0]
    if (newest) return newest.id
  }
  return (
    (models.find(({ tools }) => tools === true) ?? models.find(({ tools }) => tools !== false) ?? models[0])
      ?.id ?? null
  )
}
