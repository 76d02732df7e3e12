import { SEARCH_PROVIDERS, type SearchProviderKind } from '../../../../contract/knowledge/search-providers.ts'

/** Per search, in US dollars. */
export interface SearchPrice {
  amount: string
  source: 'organization' | 'operator' | 'table'
}

/** What was set, else the list price. Null if neither is known. */
export function searchPrice(
  set: number | null,
  source: 'organization' | 'operator',
  listPrice: number | null,
): SearchPrice | null {
  if (set !== null) return { amount: toAmount(set), source }
  return listPrice === null ? null : { amount: toAmount(listPrice), source: 'table' }
}

export const shownPrice = (set: number | null, kind: SearchProviderKind): number | null =>
  set ?? SEARCH_PROVIDERS[kind].listPrice

const toAmount = (price: number) => price.toFixed(6)
