import type { ModelPrice, TieredPrices } from '@pydantic/genai-prices'
import type { OperatorPrices } from '../config/models.ts'
import type { ModelProvider } from './provider.ts'

/** US dollars per million tokens. A null cache price means the input price. */
export interface UnitPrices {
  input: number
  output: number
  cacheRead: number | null
  cacheWrite: number | null
}

export interface Pricing extends UnitPrices {
  currency: 'USD'
  /** For a whole call with more input tokens than `above`. Ascending. */
  tiers: (UnitPrices & { above: number })[]
  source: 'organization' | 'operator' | 'table' | 'provider'
}

/** Null where another source decides. */
export interface ModelSetting {
  pricing: UnitPrices | null
  contextWindow: number | null
  acceptsImages: boolean | null
}

export interface TableEntry {
  pricing: Pricing | null
  contextWindow: number | null
  /** For recordings: US dollars per hour, and per million tokens if they cost more than text. */
  audioHour: number | null
  audioInput: number | null
  /** Per million tokens, also of a model without output. */
  input: number | null
}

export function operatorPricing(prices: OperatorPrices, providerId: string, model: string): Pricing | null {
  const price = prices[`${providerId}/${model}`] ?? prices[`${providerId}/*`]
  if (!price) return null
  const { input, output, cacheRead = null, cacheWrite = null } = price
  return { currency: 'USD', input, output, cacheRead, cacheWrite, tiers: [], source: 'operator' }
}

export const organizationPricing = (setting: ModelSetting | undefined): Pricing | null =>
  setting?.pricing ? { currency: 'USD', ...setting.pricing, tiers: [], source: 'organization' } : null

/** Lazy, since it takes 0.8 MB. */
export async function loadPriceTable() {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices')
  return ({ kind, url }: ModelProvider, model: string, at: Date): TableEntry | null => {
    // Only its URL shows who runs an OpenAI-compatible server: a name can be anything.
    const isVendor = kind === 'openai' || kind === 'anthropic' || kind === 'google'
    const provider = findProvider(isVendor ? { providerId: kind } : { providerApiUrl: url })
    const found =
      provider && calcPrice({ input_tokens: 0, output_tokens: 0 }, model, { provider, timestamp: at })
    if (!found) return null
    const { input_audio_hours: hour, input_audio_mtok: input, ...price } = found.model_price
    return {
      pricing: pricingOf(price),
      contextWindow: found.model.context_window ?? null,
      audioHour: typeof hour === 'number' ? hour : null,
      audioInput: typeof input === 'number' ? input : null,
      input: priceAt(price.input_mtok, 0) ?? null,
    }
  }
}

function pricingOf(price: ModelPrice): Pricing | null {
  if (price.input_mtok === undefined || price.output_mtok === undefined) return null
  const starts = new Set(PARTS.flatMap((part) => tiersOf(price[part]).map(({ start }) => start)))
  return {
    currency: 'USD',
    ...unitPrices(price, 0),
    tiers: [...starts].sort((a, b) => a - b).map((above) => ({ above, ...unitPrices(price, above) })),
    source: 'table',
  }
}

const PARTS = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok'] as const

function unitPrices(price: ModelPrice, above: number): UnitPrices {
  const [input, output, cacheRead, cacheWrite] = PARTS.map((part) => priceAt(price[part], above))
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: cacheRead ?? null,
    cacheWrite: cacheWrite ?? null,
  }
}

function priceAt(price: number | TieredPrices | undefined, above: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price
  return price.tiers.findLast(({ start }) => start <= above && above > 0)?.price ?? price.base
}

const tiersOf = (price: number | TieredPrices | undefined) => (typeof price === 'object' ? price.tiers : [])
