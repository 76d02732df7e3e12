import type { WebSearchConfig } from '../../../config/web-search.ts'
import type { Sql } from '../../../database/database.ts'
import type { Vault } from '../../../security/vault.ts'
import type { SearchProvider } from '../../../web-search/provider.ts'
import { findSettings, type SettingsRow } from './queries.ts'

/** The organization's provider, else the operator's. */
export async function findProvider(
  sql: Sql,
  orgId: string,
  { server, vault }: { server: WebSearchConfig; vault: Vault },
): Promise<SearchProvider | null> {
  const row = await findSettings(sql, orgId)
  if (row) return openSettings(row, orgId, vault)
  return server.provider && { ...server.provider, source: 'server' }
}

const openSettings = (
  { kind, url, engineId, keySealed }: SettingsRow,
  orgId: string,
  vault: Vault,
): SearchProvider => ({
  kind,
  url,
  engineId,
  // Null if sealed with a different server secret. The provider then rejects the search.
  apiKey: keySealed === null ? null : vault.tryOpen(locationOf(orgId), keySealed),
  source: 'organization',
})

/** Four characters would be a large part of a shorter key. */
const SHOWN_FROM_LENGTH = 16

export const sealKey = (vault: Vault, orgId: string, key: string | undefined) => ({
  keySealed: key ? vault.seal(locationOf(orgId), key) : null,
  lastFour: key && key.length >= SHOWN_FROM_LENGTH ? key.slice(-4) : null,
})

const locationOf = (orgId: string) => `web_search_settings.key:${orgId}`
