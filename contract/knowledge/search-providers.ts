import { t } from '../text.ts'

/** Plain data without schemas, for the server, the dashboard and the CLI. */
export const SEARCH_PROVIDER_KINDS = ['searxng', 'brave', 'tavily', 'exa', 'kagi', 'google', 'model'] as const

export type SearchProviderKind = (typeof SEARCH_PROVIDER_KINDS)[number]

interface SearchProviderInfo {
  name: string
  /** Null if the organization must enter one. */
  url: string | null
  needsKey: boolean
  needsEngine: boolean
  /** Where keys are made. */
  keyUrl: string | null
  hint: string | null
  /**
   * The vendor's list price per search in US dollars, without free quotas and plans. Null if it depends on the plan or
   * the results.
   */
  listPrice: number | null
}

export const SEARCH_PROVIDERS: Record<SearchProviderKind, SearchProviderInfo> = {
  searxng: {
    name: 'SearXNG',
    url: null,
    needsKey: false,
    needsEngine: false,
    keyUrl: null,
    hint: t`Your own server, without a key. Its settings.yml must list json under search.formats.`,
    listPrice: 0,
  },
  brave: {
    name: 'Brave Search',
    url: 'https://api.search.brave.com',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://api-dashboard.search.brave.com/app/keys',
    hint: null,
    listPrice: null,
  },
  tavily: {
    name: 'Tavily',
    url: 'https://api.tavily.com',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://app.tavily.com/home',
    hint: null,
    listPrice: 0.008,
  },
  exa: {
    name: 'Exa',
    url: 'https://api.exa.ai',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://dashboard.exa.ai/api-keys',
    hint: null,
    listPrice: null,
  },
  kagi: {
    name: 'Kagi',
    url: 'https://kagi.com',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://kagi.com/api/keys',
    hint: null,
    listPrice: null,
  },
  google: {
    name: 'Google Programmable Search',
    url: 'https://customsearch.googleapis.com',
    needsKey: true,
    needsEngine: true,
    keyUrl: 'https://developers.google.com/custom-search/v1/overview',
    hint: t`Google accepts no new customers for this API and ends it on January 1, 2027.`,
    listPrice: 0.005,
  },
  model: {
    name: t`The model’s provider`,
    // The model provider's.
    url: null,
    needsKey: false,
    needsEngine: false,
    keyUrl: null,
    hint: t`Agents search with their own model’s provider and its key: OpenAI, Anthropic or Google. Agents with other models can’t search.`,
    listPrice: null,
  },
}

export const SEARCH_FRESHNESS = ['day', 'week', 'month', 'year'] as const
export type SearchFreshness = (typeof SEARCH_FRESHNESS)[number]

/** Model providers with a search of their own, and the list price per search in US dollars. Google's depends on the model. */
export const MODEL_SEARCH_PRICES = { openai: 0.01, anthropic: 0.01, google: null } as const
export type ModelSearchKind = keyof typeof MODEL_SEARCH_PRICES
export const MODEL_SEARCH_KINDS = Object.keys(MODEL_SEARCH_PRICES) as ModelSearchKind[]
