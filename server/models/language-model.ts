import type { LanguageModel as AnyLanguageModel } from 'ai'
import type { ModelProvider } from './provider.ts'

/** A model of the AI SDK, in the version of the interface that the installed SDK implements. */
export type LanguageModel = Extract<AnyLanguageModel, { specificationVersion: 'v3' }>

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
