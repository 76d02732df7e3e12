import type { OperatorPrices } from '../config/models.ts'
import type { Listing } from './listing/catalog.ts'
import { type ListedModel, listedModel, type Modality } from './listing/listing.ts'
import {
  type ModelSetting,
  operatorPricing,
  organizationPricing,
  type Pricing,
  type TableEntry,
} from './prices.ts'
import type { ModelProvider } from './provider.ts'
import { seesImages } from './vision-families.ts'

/** Null where unknown. */
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
  isTest: boolean
  created: number | null
}

export interface PriceSources {
  prices: OperatorPrices
  settings: ReadonlyMap<string, ModelSetting>
  table: (provider: ModelProvider, model: string) => TableEntry | null
}

export const describeListing = (
  provider: ModelProvider,
  listing: Listing,
  sources: PriceSources,
): ModelInfo[] => listing.models.map((model) => describeModel(provider, model, listing, sources))

/** A model the provider doesn't list may still exist. */
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
  { prices, settings, table }: PriceSources,
): ModelInfo {
  const id = `${provider.id}/${model.id}`
  const entry = table(provider, model.id)
  const setting = settings.get(id)
  return {
    id,
    provider: provider.id,
    name: model.name ?? model.id,
    contextWindow: setting?.contextWindow ?? model.contextWindow ?? entry?.contextWindow ?? null,
    maxOutput: model.maxOutput,
    modalities: { input: inputOf(model, setting), output: model.output ?? ['text'] },
    tools: model.tools,
    reasoning: model.reasoning,
    pricing: setPricing(provider, model.id, { prices, settings }) ?? entry?.pricing ?? listedPricing(model),
    availability: problem === null ? 'available' : 'unavailable',
    isTest: false,
    created: model.created,
  }
}

function inputOf(model: ListedModel, setting: ModelSetting | undefined): Modality[] {
  const listed: Modality[] = model.input ?? (seesImages(model.id) ? ['text', 'image'] : ['text'])
  const acceptsImages = setting?.acceptsImages ?? listed.includes('image')
  if (acceptsImages === listed.includes('image')) return listed
  return acceptsImages ? [...listed, 'image'] : listed.filter((each) => each !== 'image')
}

/** Organizations pay for their own keys. The operator pays for the server's and sets their prices. */
export function setPricing(
  provider: ModelProvider,
  model: string,
  { prices, settings }: Pick<PriceSources, 'prices' | 'settings'>,
): Pricing | null {
  const set = [
    organizationPricing(settings.get(`${provider.id}/${model}`)),
    operatorPricing(prices, provider.id, model),
  ]
  const [first, second] = provider.source === 'organization' ? set : set.toReversed()
  return first ?? second ?? null
}

const listedPricing = ({ prices }: ListedModel): Pricing | null =>
  prices && { currency: 'USD', ...prices, tiers: [], source: 'provider' }
