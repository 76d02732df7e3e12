import type { ProviderKind } from '../config/models.ts'

/** A provider as one organization can use it. */
export interface ModelProvider {
  /** The part of a model id before the first slash. */
  id: string
  kind: ProviderKind | 'ollama'
  name: string
  /** The base URL of the API, without a trailing slash. */
  url: string
  apiKey: string | null
  /** The models that it offers; empty: those that it lists. */
  models: readonly string[]
  /** The operator set the URL of `environment` and `local`, so it is trusted. An admin entered that of `organization`. */
  source: 'environment' | 'local' | 'organization'
  /** Identifies the provider with its settings: its list is cached under this key. */
  cacheKey: string
}

/** Splits a model id at its first slash: `openrouter/meta/llama` is the model `meta/llama` of `openrouter`. */
export function splitModelId(id: string): { providerId: string; model: string } | null {
  const slash = id.indexOf('/')
  if (slash < 1 || slash === id.length - 1) return null
  return { providerId: id.slice(0, slash), model: id.slice(slash + 1) }
}
