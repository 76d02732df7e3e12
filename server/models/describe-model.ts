import type { OperatorPrices } from '../config/model-prices.ts'
import type { Listing } from './listing/catalog.ts'
import { type ListedModel, listedModel, type Modality } from './listing/listed-model.ts'
import { operatorPricing, type Pricing, type TableEntry } from './prices.ts'
import type { ModelProvider } from './provider.ts'

/** A model as the API and the run engine see it; null where nothing is known. */
export interface ModelInfo {
  /** `provider/model` */
  id: string
  provider: string
  name: string
  contextWindow: number | null
  maxOutput: number | null
  modalities: { input: Modality[]; output: Modality[] }
  tools: boolean | null
  reasoning: boolean | null
  pricing: Pricing | null
  availability: 'available' | 'unavailable'
  /** A test model, which calls no provider. */
  isTest: boolean
  created: number | null
}

export interface PriceSources {
  prices: OperatorPrices
  table: (provider: ModelProvider, model: string) => TableEntry | null
}

export const describeListing = (
  provider: ModelProvider,
  listing: Listing,
  sources: PriceSources,
): ModelInfo[] => listing.models.map((model) => describeModel(provider, model, listing, sources))

/** Describes the model with this id. A model that the provider does not list may still exist. */
export const describeById = (
  provider: ModelProvider,
  model: string,
  listing: Listing,
  sources: PriceSources,
) =>
  describeModel(
    provider,
    listing.models.find(({ id }) => id === model) ?? listedModel(model),
    listing,
    sources,
  )

function describeModel(
  provider: ModelProvider,
  model: ListedModel,
  { problem }: Listing,
  { prices, table }: PriceSources,
): ModelInfo {
  const entry = table(provider, model.id)
  return {
    id: `${provider.id}/${model.id}`,
    provider: provider.id,
    name: model.name ?? model.id,
    contextWindow: model.contextWindow ?? entry?.contextWindow ?? null,
    maxOutput: model.maxOutput,
    modalities: { input: model.input ?? ['text'], output: model.output ?? ['text'] },
    tools: model.tools,
    reasoning: model.reasoning,
    pricing: operatorPricing(prices, provider.id, model.id) ?? entry?.pricing ?? listedPricing(model),
    availability: problem === null ? 'available' : 'unavailable',
    isTest: false,
    created: model.created,
  }
}

const listedPricing = ({ prices }: ListedModel): Pricing | null =>
  prices && { currency: 'USD', ...prices, tiers: [], source: 'provider' }
