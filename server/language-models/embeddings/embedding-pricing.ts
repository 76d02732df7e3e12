import { priceUsage } from '../cost.ts'
import { type PriceSources, setPricing } from '../describe-model.ts'
import type { Pricing } from '../prices.ts'
import type { ModelProvider } from '../provider.ts'

/** Embeddings have input only, so the built-in table may have no output price. */
export function embeddingPricing(
  provider: ModelProvider,
  model: string,
  sources: PriceSources,
): Pricing | null {
  const set = setPricing(provider, model, sources)
  if (set) return set
  const input = sources.table(provider, model)?.input
  if (input == null) return null
  return { currency: 'USD', input, output: 0, cacheRead: null, cacheWrite: null, tiers: [], source: 'table' }
}

export const priceEmbedding = (pricing: Pricing, tokens: number) =>
  priceUsage(pricing, { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 })

const CHARACTERS_PER_TOKEN = 3

/** Before the call, and for servers that don't count. Rounded up. */
export const estimateEmbedded = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + Math.ceil(length / CHARACTERS_PER_TOKEN), 0)
