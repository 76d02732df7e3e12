import type { ModelProvider } from '../provider.ts'
import { listAnthropic } from './anthropic.ts'
import { ListingError, type ListingOptions } from './fetch-json.ts'
import { listGoogle } from './google.ts'
import { type ListedModel, listedModel } from './listed-model.ts'
import { listOllama } from './ollama.ts'
import { listOpenAi } from './openai.ts'

const MODELS_MAX = 2000

const LISTS: Record<
  ModelProvider['kind'],
  (provider: ModelProvider, options: ListingOptions) => Promise<ListedModel[]>
> = {
  openai: listOpenAi,
  'openai-compatible': listOpenAi,
  anthropic: listAnthropic,
  google: listGoogle,
  ollama: listOllama,
}

/** The models of a provider: those that it lists, or those that its settings name, with the properties that it lists. */
export async function listModels(provider: ModelProvider, options: ListingOptions): Promise<ListedModel[]> {
  if (provider.models.length === 0) return (await list(provider, options)).slice(0, MODELS_MAX)
  const listed = await list(provider, options).catch(emptyIfAbsent)
  return provider.models.map((id) => listed.find((model) => model.id === id) ?? listedModel(id))
}

const list = (provider: ModelProvider, options: ListingOptions) => LISTS[provider.kind](provider, options)

/** A server without a list of models, such as some gateways, still works. */
function emptyIfAbsent(error: unknown): ListedModel[] {
  if (error instanceof ListingError && (error.status === 404 || error.status === 405)) return []
  throw error
}
