import { SEARCH_PROVIDERS } from '../../../../contract/knowledge/search-providers.ts'
import type { WebSearchConfig } from '../../../config/web-search.ts'
import type { Sql } from '../../../database/database.ts'
import type { Vault } from '../../../security/vault.ts'
import type { SearchProvider } from '../../../web-search/provider.ts'
import { type SearchPrice, searchPrice } from './price.ts'
import { findSettings } from './queries.ts'

export type ChosenProvider =
  | { kind: 'engine'; provider: SearchProvider; price: SearchPrice | null }
  /** The price depends on the model's provider. */
  | { kind: 'model'; priceOf: (listPrice: number | null) => SearchPrice | null }

/** The organization's provider, else the operator's. */
export async function findProvider(
  sql: Sql,
  orgId: string,
  { server, vault }: { server: WebSearchConfig; vault: Vault },
): Promise<ChosenProvider | null> {
  const row = await findSettings(sql, orgId)
  const chosen = row ?? server.provider
  if (!chosen) return null
  const priceOf = (listPrice: number | null) =>
    searchPrice(chosen.price, row ? 'organization' : 'operator', listPrice)
  const { kind, url, engineId } = chosen
  if (kind === 'model') return { kind, priceOf }
  // Null if sealed with a different server secret. The provider then rejects the search.
  const key = row ? row.keySealed && vault.tryOpen(locationOf(orgId), row.keySealed) : server.provider!.apiKey
  const source = row ? 'organization' : 'server'
  const provider: SearchProvider = { kind, url, engineId, apiKey: key, source }
  return { kind: 'engine', provider, price: priceOf(SEARCH_PROVIDERS[kind].listPrice) }
}

/** Four characters would be a large part of a shorter key. */
const SHOWN_FROM_LENGTH = 16

export const sealKey = (vault: Vault, orgId: string, key: string | undefined) => ({
  keySealed: key ? vault.seal(locationOf(orgId), key) : null,
  lastFour: key && key.length >= SHOWN_FROM_LENGTH ? key.slice(-4) : null,
})

const locationOf = (orgId: string) => `web_search_settings.key:${orgId}`
