import type { SearchFreshness } from '../../contract/knowledge/search-providers.ts'
import type { EngineKind } from './provider.ts'

/** A request template and the place of the results. */
export interface SearchAdapter {
  method: 'GET' | 'POST'
  /** After the base URL. */
  path: string
  headers: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: Readonly<Record<string, unknown>>
  /** Larger counts are cut. */
  countMax: number
  /** What `{freshness}` stands for. */
  freshness?: Readonly<Record<SearchFreshness, string>>
  /** Paths with dots, the fields from a result. */
  results: Readonly<Record<'list' | 'title' | 'url' | 'snippet' | 'publishedAt', string>>
  /** The list is missing when nothing was found. */
  omitsEmptyList?: true
  /** Statuses that mean something else here than elsewhere. */
  statuses?: Readonly<Record<number, SearchProblem>>
}

export type SearchProblem = 'key' | 'quota' | 'format'

/**
 * `{query}`, `{key}`, `{engine}`, `{count}`, `{freshness}`, `{since}` (a day) and `{sinceTime}`. A field without a value
 * for its placeholder is left out.
 */
export const SEARCH_ADAPTERS: Readonly<Record<EngineKind, SearchAdapter>> = {
  searxng: {
    method: 'GET',
    path: '/search',
    headers: { authorization: 'Bearer {key}' },
    query: { q: '{query}', format: 'json', time_range: '{freshness}' },
    countMax: 20,
    // It knows no week.
    freshness: { day: 'day', week: 'month', month: 'month', year: 'year' },
    results: {
      list: 'results',
      title: 'title',
      url: 'url',
      snippet: 'content',
      publishedAt: 'publishedDate',
    },
    statuses: { 403: 'format' },
  },
  brave: {
    method: 'GET',
    path: '/res/v1/web/search',
    headers: { 'x-subscription-token': '{key}' },
    query: { q: '{query}', count: '{count}', freshness: '{freshness}', text_decorations: 'false' },
    countMax: 20,
    freshness: { day: 'pd', week: 'pw', month: 'pm', year: 'py' },
    results: {
      list: 'web.results',
      title: 'title',
      url: 'url',
      snippet: 'description',
      publishedAt: 'page_age',
    },
    omitsEmptyList: true,
    statuses: { 422: 'key' },
  },
  tavily: {
    method: 'POST',
    path: '/search',
    headers: { authorization: 'Bearer {key}' },
    body: { query: '{query}', max_results: '{count}', time_range: '{freshness}', search_depth: 'basic' },
    countMax: 20,
    freshness: { day: 'day', week: 'week', month: 'month', year: 'year' },
    results: {
      list: 'results',
      title: 'title',
      url: 'url',
      snippet: 'content',
      publishedAt: 'published_date',
    },
    // Limits of the plan and of pay-as-you-go.
    statuses: { 432: 'quota', 433: 'quota' },
  },
  exa: {
    method: 'POST',
    path: '/search',
    headers: { 'x-api-key': '{key}' },
    body: {
      query: '{query}',
      numResults: '{count}',
      type: 'auto',
      startPublishedDate: '{sinceTime}',
      contents: { highlights: true },
    },
    countMax: 20,
    results: {
      list: 'results',
      title: 'title',
      url: 'url',
      snippet: 'highlights.0',
      publishedAt: 'publishedDate',
    },
  },
  kagi: {
    method: 'POST',
    path: '/api/v1/search',
    headers: { authorization: 'Bearer {key}' },
    body: { query: '{query}', limit: '{count}', filters: { after: '{since}' } },
    countMax: 20,
    results: { list: 'data.search', title: 'title', url: 'url', snippet: 'snippet', publishedAt: 'time' },
    omitsEmptyList: true,
  },
  google: {
    method: 'GET',
    path: '/customsearch/v1',
    headers: {},
    query: {
      key: '{key}',
      cx: '{engine}',
      q: '{query}',
      num: '{count}',
      dateRestrict: '{freshness}',
    },
    countMax: 10,
    freshness: { day: 'd1', week: 'w1', month: 'm1', year: 'y1' },
    results: {
      list: 'items',
      title: 'title',
      url: 'link',
      snippet: 'snippet',
      publishedAt: 'pagemap.metatags.0.article:published_time',
    },
    omitsEmptyList: true,
    statuses: { 400: 'key' },
  },
}
