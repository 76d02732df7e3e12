import type { ProviderKind } from '../config/models.ts'

export interface ModelProvider {
  id: string
  kind: ProviderKind | 'ollama'
  name: string
  /** No trailing slash. */
  url: string
  apiKey: string | null
  /** Empty: those it lists. */
  models: readonly string[]
  /** The operator set `environment` and `local` URLs, so they're trusted. An admin entered `organization` ones. */
  source: 'environment' | 'local' | 'organization'
  cacheKey: string
  /** An operator connected a model server at a usual address of this machine. */
  isLocalServer?: boolean
}

/** `openrouter/meta/llama` is model `meta/llama` from `openrouter`. */
export function splitModelId(id: string): { providerId: string; model: string } | null {
  const slash = id.indexOf('/')
  if (slash < 1 || slash === id.length - 1) return null
  return { providerId: id.slice(0, slash), model: id.slice(slash + 1) }
}
