import type { SearchFreshness, SearchProviderKind } from '../../contract/knowledge/search-providers.ts'

/** Not the model's provider, which `searchWithModel` asks. */
export type EngineKind = Exclude<SearchProviderKind, 'model'>

export interface SearchProvider {
  kind: EngineKind
  /** Null for the vendor's own. */
  url: string | null
  apiKey: string | null
  engineId: string | null
  /** The operator's may be on a private network. */
  source: 'server' | 'organization'
}

export interface SearchQuery {
  query: string
  count: number
  freshness?: SearchFreshness | undefined
}
