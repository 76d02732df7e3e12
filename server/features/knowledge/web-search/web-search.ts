import { webSearch as endpoints } from '../../../../contract/knowledge/web-search.ts'
import type { WebSearchConfig } from '../../../config/web-search.ts'
import type { Sql } from '../../../database/database.ts'
import { handle } from '../../../endpoint/route.ts'
import { raise } from '../../../errors.ts'
import type { Feature } from '../../../feature.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import type { Vault } from '../../../security/vault.ts'
import type { SearchQuery } from '../../../web-search/provider.ts'
import type { SearchResult } from '../../../web-search/results.ts'
import { searchWeb } from '../../../web-search/search.ts'
import { findProvider } from './provider.ts'
import { getProvider, getSettings, notSetUp, putSettings, removeSettings, testProvider } from './settings.ts'

/** Where agents search the web: each organization's provider with its key, else the operator's. */
export const webSearch = (server: WebSearchConfig): Feature => ({
  routes: [
    handle(endpoints.get, getProvider(server)),
    handle(endpoints.settings, getSettings(server)),
    handle(endpoints.put, putSettings(server)),
    handle(endpoints.remove, removeSettings),
    handle(endpoints.test, testProvider(server)),
  ],
})

interface SearchCall {
  sql: Sql
  orgId: string
  outbound: Outbound
  signal: AbortSignal
  now: Date
}

export type SearchForOrganization = (call: SearchCall, query: SearchQuery) => Promise<SearchResult[]>

export const createSearch =
  (options: { server: WebSearchConfig; vault: Vault }): SearchForOrganization =>
  async ({ sql, orgId, ...call }, query) => {
    const provider = (await findProvider(sql, orgId, options)) ?? raise(notSetUp())
    return searchWeb(provider, query, call)
  }
