import { MODEL_SEARCH_PRICES, type ModelSearchKind } from '../../../../contract/knowledge/search-providers.ts'
import type { WebSearchConfig } from '../../../config/web-search.ts'
import type { Sql } from '../../../database/database.ts'
import { ApiError, conflict, raise } from '../../../errors.ts'
import { priceUsage, type TokenUsage } from '../../../language-models/cost.ts'
import type { FoundModel, Models } from '../../../language-models/models.ts'
import {
  hasNativeSearch,
  NATIVE_SEARCH_TOKENS,
  searchNatively,
} from '../../../language-models/native-search.ts'
import type { Pricing } from '../../../language-models/prices.ts'
import type { Outbound } from '../../../outbound/outbound.ts'
import type { Vault } from '../../../security/vault.ts'
import { foundResults } from '../../../web-search/native-results.ts'
import type { SearchQuery } from '../../../web-search/provider.ts'
import type { SearchResult } from '../../../web-search/results.ts'
import { searchWeb } from '../../../web-search/search.ts'
import { notSetUp } from './not-set-up.ts'
import type { SearchPrice } from './price.ts'
import { findProvider } from './provider.ts'

export interface SearchCall {
  sql: Sql
  orgId: string
  outbound: Outbound
  signal: AbortSignal
  now: Date
  /** The agent's, whose provider may search. */
  model: string
  allowedDomains: readonly string[]
  deniedDomains: readonly string[]
}

/** A search that can be reserved, made and charged. */
export interface OpenedSearch {
  /** For the ledger: `brave`, or the model's provider. */
  provider: string
  /** In US dollars. Null if a price is unknown. */
  maxCost: string | null
  search: (query: SearchQuery) => Promise<Searched>
}

export interface Searched {
  results: SearchResult[]
  /** What the model's provider says about them. Empty for a search engine. */
  summary: string
  quantity: { searches: number } & Partial<TokenUsage>
  unitCost: { search: number } | null
  /** Null if a price is unknown. */
  cost: string | null
  priceSource: SearchPrice['source'] | 'estimate' | 'unknown'
}

export type OpenSearch = (call: SearchCall) => Promise<OpenedSearch>

/** Throws if the organization can't search, or not with this model. */
export const createOpenSearch =
  (options: { server: WebSearchConfig; vault: Vault; models: Pick<Models, 'find'> }): OpenSearch =>
  async (call) => {
    const chosen = (await findProvider(call.sql, call.orgId, options)) ?? raise(notSetUp())
    if (chosen.kind === 'model') return openNative(options.models, chosen.priceOf, call)
    const { provider, price } = chosen
    return {
      provider: provider.kind,
      maxCost: price?.amount ?? null,
      async search(query) {
        const results = await searchWeb(provider, query, call)
        return {
          ...{ results, summary: '', quantity: { searches: 1 }, cost: price?.amount ?? null },
          unitCost: price && { search: Number(price.amount) },
          priceSource: price?.source ?? 'unknown',
        }
      },
    }
  }

async function openNative(
  models: Pick<Models, 'find'>,
  priceOf: (listPrice: number | null) => SearchPrice | null,
  call: SearchCall,
): Promise<OpenedSearch> {
  const found = await models.find(call.orgId, call.model)
  if (found.kind === 'unknown') throw conflict(found.reason)
  const { kind, name } = found.provider
  if (!hasNativeSearch(kind)) throw cannotSearch(name)
  const price = priceOf(MODEL_SEARCH_PRICES[kind])
  const pricing = (await found.describe())?.pricing ?? null
  return {
    provider: kind,
    maxCost: costOf(price, pricing, { searches: 1, tokens: NATIVE_SEARCH_TOKENS }),
    search: (query) => searchWithModel(found, kind, { price, pricing, call }, query),
  }
}

interface NativeCall {
  price: SearchPrice | null
  pricing: Pricing | null
  call: SearchCall
}

async function searchWithModel(
  { model, provider }: FoundModel & { kind: 'model' },
  kind: ModelSearchKind,
  { price, pricing, call }: NativeCall,
  query: SearchQuery,
): Promise<Searched> {
  const { allowedDomains, deniedDomains, signal, outbound } = call
  const answer = await searchNatively(model, kind, { ...query, allowedDomains, deniedDomains }, signal)
  if (answer.kind === 'failed')
    throw new ApiError('PROVIDER_ERROR', `${provider.name} could not search. ${answer.message}`)
  const { searches, usage, text } = answer
  const tokens = usage ?? NATIVE_SEARCH_TOKENS
  const cost = costOf(price, pricing, { searches, tokens })
  return {
    results: await foundResults(kind, answer.sources, { outbound, signal }),
    ...{ summary: text, cost, quantity: { searches, ...usage } },
    unitCost: price && { search: Number(price.amount) },
    priceSource: cost === null ? 'unknown' : usage === null ? 'estimate' : price!.source,
  }
}

interface Used {
  searches: number
  tokens: Omit<TokenUsage, 'reasoning'>
}

const costOf = (
  price: SearchPrice | null,
  pricing: Pricing | null,
  { searches, tokens }: Used,
): string | null =>
  price &&
  pricing &&
  (searches * Number(price.amount) + Number(priceUsage(pricing, tokens).amount)).toFixed(6)

const cannotSearch = (provider: string) =>
  conflict(
    `${provider} has no web search. Use a model from OpenAI, Anthropic or Google, or ask an admin to choose a search engine in Settings → Web search`,
  )
