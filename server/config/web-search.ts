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
  } | null
  searchesPerRun: number
  /** Web pages that a run may read. */
  fetchesPerRun: number
}

const RULE = 'must be a whole number from 0 to 10000'
const perRun = (fallback: number) =>
  z.coerce.number({ error: RULE }).int(RULE).min(0, RULE).max(10_000, RULE).default(fallback)

export const webSearchVariables = {
  ATRIUM_WEB_SEARCH: oneOf(...(SEARCH_PROVIDER_KINDS as unknown as [SearchProviderKind])).optional(),
  ATRIUM_WEB_SEARCH_URL: optionalBaseUrl,
  ATRIUM_WEB_SEARCH_KEY: optionalText,
  ATRIUM_WEB_SEARCH_ENGINE: optionalText,
  ATRIUM_WEB_SEARCHES_PER_RUN: perRun(50),
  ATRIUM_WEB_FETCHES_PER_RUN: perRun(100),
}

interface Variables {
  ATRIUM_WEB_SEARCH?: SearchProviderKind | undefined
  ATRIUM_WEB_SEARCH_URL?: string | undefined
  ATRIUM_WEB_SEARCH_KEY?: string | undefined
  ATRIUM_WEB_SEARCH_ENGINE?: string | undefined
}

export const readWebSearchConfig = ({
  ATRIUM_WEB_SEARCH: kind,
  ATRIUM_WEB_SEARCH_URL: url,
  ATRIUM_WEB_SEARCH_KEY: apiKey,
  ATRIUM_WEB_SEARCH_ENGINE: engineId,
  ...limits
}: Variables & Record<`ATRIUM_WEB_${'SEARCHES' | 'FETCHES'}_PER_RUN`, number>): WebSearchConfig => ({
  provider: kind ? { kind, url: url ?? null, apiKey: apiKey ?? null, engineId: engineId ?? null } : null,
  searchesPerRun: limits.ATRIUM_WEB_SEARCHES_PER_RUN,
  fetchesPerRun: limits.ATRIUM_WEB_FETCHES_PER_RUN,
})

export function missingWebSearchVariable({
  ATRIUM_WEB_SEARCH: kind,
  ATRIUM_WEB_SEARCH_URL: url,
  ATRIUM_WEB_SEARCH_KEY: apiKey,
  ATRIUM_WEB_SEARCH_ENGINE: engineId,
}: Variables): string | undefined {
  if (!kind) return (url ?? apiKey ?? engineId) === undefined ? undefined : 'ATRIUM_WEB_SEARCH'
  const { url: defaultUrl, needsKey, needsEngine } = SEARCH_PROVIDERS[kind]
  if (defaultUrl === null && !url) return 'ATRIUM_WEB_SEARCH_URL'
  if (needsKey && !apiKey) return 'ATRIUM_WEB_SEARCH_KEY'
  return needsEngine && !engineId ? 'ATRIUM_WEB_SEARCH_ENGINE' : undefined
}
