/** A provider of language models that the operator configured. Its URL may be local. */
export interface ConfiguredProvider {
  /** The part of a model id before the first slash. */
  id: string
  kind: ProviderKind
  name: string
  url: string
  /** Null for a server without authentication. */
  apiKey: string | null
  /** The models that the provider offers; empty: the models that its API lists. */
  models: string[]
  /** The model that names projects; null if the provider is not used for it. */
  namingModel: string | null
}

export type ProviderKind = 'openai' | 'openai-compatible' | 'anthropic' | 'google'
