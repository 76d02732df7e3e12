import type { LanguageModel as AnyLanguageModel } from 'ai'
import { hideKey } from './hide-key.ts'
import { limitBytes } from './limit-bytes.ts'
import type { ModelProvider } from './provider.ts'

/** The interface version the installed SDK implements. */
export type LanguageModel = Extract<AnyLanguageModel, { specificationVersion: 'v3' }>

const MODELS_MAX = 200

/**
 * The SDK builds response schemas per model, which took 3% of a step's CPU time. The key changes with the provider's
 * settings, so a removed or replaced API key isn't reused.
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

/** Lazy imports: most processes call one provider or none. */
export async function createLanguageModel(
  { id, kind, url, apiKey }: ModelProvider,
  model: string,
  send: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const fetch = limitBytes(hideKey(send, apiKey))
  // With no key, the SDK would read one from the environment.
  const options = { baseURL: url, apiKey: apiKey ?? '', fetch }
  if (kind === 'anthropic') return (await import('@ai-sdk/anthropic')).createAnthropic(options)(model)
  if (kind === 'google') return (await import('@ai-sdk/google')).createGoogleGenerativeAI(options)(model)
  if (kind === 'openai') return withoutStorage((await import('@ai-sdk/openai')).createOpenAI(options)(model))
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const baseURL = kind === 'ollama' ? `${url}/v1` : url
  // Without `includeUsage`, a stream ends without token counts.
  return createOpenAICompatible({
    name: id,
    baseURL,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(apiKey && { apiKey }),
  })(model)
}

/** OpenAI stores responses by default. Conversations stay on this server. */
async function withoutStorage(model: LanguageModel): Promise<LanguageModel> {
  const { defaultSettingsMiddleware, wrapLanguageModel } = await import('ai')
  const settings = { providerOptions: { openai: { store: false } } }
  return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) })
}
