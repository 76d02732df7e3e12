import { t } from '../text.ts'

/** Plain data without schemas, for the server, the dashboard and the CLI. */
export const SEARCH_PROVIDER_KINDS = ['searxng', 'brave', 'tavily', 'exa', 'kagi', 'google'] as const

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
}

export const SEARCH_PROVIDERS: Record<SearchProviderKind, SearchProviderInfo> = {
  searxng: {
    name: 'SearXNG',
    url: null,
    needsKey: false,
    needsEngine: false,
    keyUrl: null,
    hint: t`Your own server, without a key. Its settings.yml must list json under search.formats.`,
  },
  brave: {
    name: 'Brave Search',
    url: 'https://api.search.brave.com',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://api-dashboard.search.brave.com/app/keys',
    hint: null,
  },
  tavily: {
    name: 'Tavily',
    url: 'https://api.tavily.com',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://app.tavily.com/home',
    hint: null,
  },
  exa: {
    name: 'Exa',
    url: 'https://api.exa.ai',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://dashboard.exa.ai/api-keys',
    hint: null,
  },
  kagi: {
    name: 'Kagi',
    url: 'https://kagi.com',
    needsKey: true,
    needsEngine: false,
    keyUrl: 'https://kagi.com/api/keys',
    hint: null,
  },
  google: {
    name: 'Google Programmable Search',
    url: 'https://customsearch.googleapis.com',
    needsKey: true,
    needsEngine: true,
    keyUrl: 'https://developers.google.com/custom-search/v1/overview',
    hint: t`Google accepts no new customers for this API and ends it on January 1, 2027.`,
  },
}

export const SEARCH_FRESHNESS = ['day', 'week', 'month', 'year'] as const
export type SearchFreshness = (typeof SEARCH_FRESHNESS)[number]
