import type { LanguageModel as AnyLanguageModel } from 'ai'
import type { ModelProvider } from './provider.ts'

/** A model of the AI SDK, in the version of the interface that the installed SDK implements. */
export type LanguageModel = Extract<AnyLanguageModel, { specificationVersion: 'v3' }>

/** Models in memory; beyond this all are dropped and created again. */
const MODELS_MAX = 200

/**
 * Creates each model once: the SDK builds the schemas of its responses with it, which took 3% of the CPU time of a step.
 * The provider is looked up for each call, and its cache key changes with its settings, so that a removed or replaced API
 * key is not used again.
 */
export function createModelCache(fetchFor: (provider: ModelProvider) => typeof globalThis.fetch) {
  const models = new Map<string, LanguageModel>()
  return async (provider: ModelProvider, model: string): Promise<LanguageModel> => {
    const key = `${provider.cacheKey} ${model}`
    const cached = models.get(key)
    if (cached) return cached
    const created = await createLanguageModel(provider, model, fetchFor(provider))
    if (models.size >= MODELS_MAX) models.clear()
    models.set(key, created)
    return created
  }
}

/** Libraries load with their first use: most processes call one provider or none. */
export async function createLanguageModel(
  { id, kind, url, apiKey }: ModelProvider,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  // An empty key instead of none: the SDK would read one from the environment.
  const options = { baseURL: url, apiKey: apiKey ?? '', fetch }
  if (kind === 'anthropic') return (await import('@ai-sdk/anthropic')).createAnthropic(options)(model)
  if (kind === 'google') return (await import('@ai-sdk/google')).createGoogleGenerativeAI(options)(model)
  if (kind === 'openai') return withoutStorage((await import('@ai-sdk/openai')).createOpenAI(options)(model))
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const baseURL = kind === 'ollama' ? `${url}/v1` : url
  // Without `includeUsage`, a stream ends without the number of its tokens.
  return createOpenAICompatible({
    name: id,
    baseURL,
    fetch,
    includeUsage: true,
    ...(apiKey && { apiKey }),
  })(model)
}

/** Conversations stay on this server: by default OpenAI would store each response. */
async function withoutStorage(model: LanguageModel): Promise<LanguageModel> {
  const { defaultSettingsMiddleware, wrapLanguageModel } = await import('ai')
  const settings = { providerOptions: { openai: { store: false } } }
  return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) })
}
