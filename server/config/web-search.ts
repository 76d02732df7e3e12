import { z } from 'zod'
import {
  SEARCH_PROVIDER_KINDS,
  SEARCH_PROVIDERS,
  type SearchProviderKind,
} from '../../contract/knowledge/search-providers.ts'
import { oneOf, optionalBaseUrl, optionalText } from './fields.ts'

export interface WebSearchConfig {
  /** For organizations without their own. Its URL may be local. */
  provider: {
    kind: SearchProviderKind
    url: string | null
    apiKey: string | null
    engineId: string | null
    /** In US dollars per search. Null for the vendor's list price. */
    price: number | null
  } | null
  searchesPerRun: number
  /** Web pages that a run may read. */
  fetchesPerRun: number
}

const PRICE_RULE = 'must be a price in US dollars per search, from 0 to 100'
const RULE = 'must be a whole number from 0 to 10000'
const perRun = (fallback: number) =>
  z.coerce.number({ error: RULE }).int(RULE).min(0, RULE).max(10_000, RULE).default(fallback)

export const webSearchVariables = {
  ATRIUM_WEB_SEARCH: oneOf(...(SEARCH_PROVIDER_KINDS as unknown as [SearchProviderKind])).optional(),
  ATRIUM_WEB_SEARCH_URL: optionalBaseUrl,
  ATRIUM_WEB_SEARCH_KEY: optionalText,
  ATRIUM_WEB_SEARCH_ENGINE: optionalText,
  ATRIUM_WEB_SEARCH_PRICE: z.coerce
    .number({ error: PRICE_RULE })
    .min(0, PRICE_RULE)
    .max(100, PRICE_RULE)
    .optional(),
  ATRIUM_WEB_SEARCHES_PER_RUN: perRun(50),
  ATRIUM_WEB_FETCHES_PER_RUN: perRun(100),
}

interface Variables {
  ATRIUM_WEB_SEARCH?: SearchProviderKind | undefined
  ATRIUM_WEB_SEARCH_URL?: string | undefined
  ATRIUM_WEB_SEARCH_KEY?: string | undefined
  ATRIUM_WEB_SEARCH_ENGINE?: string | undefined
  ATRIUM_WEB_SEARCH_PRICE?: number | undefined
}

export const readWebSearchConfig = ({
  ATRIUM_WEB_SEARCH: kind,
  ATRIUM_WEB_SEARCH_URL: url,
  ATRIUM_WEB_SEARCH_KEY: apiKey,
  ATRIUM_WEB_SEARCH_ENGINE: engineId,
  ATRIUM_WEB_SEARCH_PRICE: price,
  ...limits
}: Variables & Record<`ATRIUM_WEB_${'SEARCHES' | 'FETCHES'}_PER_RUN`, number>): WebSearchConfig => ({
  provider: kind
    ? {
        kind,
        url: url ?? null,
        apiKey: apiKey ?? null,
        engineId: engineId ?? null,
        price: price ?? null,
      }
    : null,
  searchesPerRun: limits.ATRIUM_WEB_SEARCHES_PER_RUN,
  fetchesPerRun: limits.ATRIUM_WEB_FETCHES_PER_RUN,
})

export function missingWebSearchVariable({
  ATRIUM_WEB_SEARCH: kind,
  ATRIUM_WEB_SEARCH_URL: url,
  ATRIUM_WEB_SEARCH_KEY: apiKey,
  ATRIUM_WEB_SEARCH_ENGINE: engineId,
  ATRIUM_WEB_SEARCH_PRICE: price,
}: Variables): string | undefined {
  if (!kind) return (url ?? apiKey ?? engineId ?? price) === undefined ? undefined : 'ATRIUM_WEB_SEARCH'
  const { url: defaultUrl, needsKey, needsEngine } = SEARCH_PROVIDERS[kind]
  if (kind === 'model') return undefined
  if (defaultUrl === null && !url) return 'ATRIUM_WEB_SEARCH_URL'
  if (needsKey && !apiKey) return 'ATRIUM_WEB_SEARCH_KEY'
  return needsEngine && !engineId ? 'ATRIUM_WEB_SEARCH_ENGINE' : undefined
}
