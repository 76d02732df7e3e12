import { priceUsage } from '../cost.ts'
import { type PriceSources, setPricing } from '../describe-model.ts'
import type { Pricing } from '../prices.ts'
import type { ModelProvider } from '../provider.ts'

/** US dollars per hour of audio, or per million tokens. */
export type AudioPricing = { kind: 'hour'; price: number } | { kind: 'tokens'; pricing: Pricing }

interface AudioTokens {
  input: number
  output: number
}

interface AudioUsage {
  /** Of the recording. Null for speech. */
  seconds: number | null
  tokens: AudioTokens
  /** The provider didn't report the tokens. */
  isEstimate: boolean
}

interface AudioCost {
  amount: string
  unitCost: object
  source: Pricing['source'] | 'estimate'
}

/** A price that an admin or the operator set counts tokens, also those of an hour. */
export function audioPricing(
  provider: ModelProvider,
  model: string,
  sources: PriceSources,
): AudioPricing | null {
  const set = setPricing(provider, model, sources)
  if (set) return { kind: 'tokens', pricing: set }
  const entry = sources.table(provider, model)
  if (entry?.audioHour != null) return { kind: 'hour', price: entry.audioHour }
  if (!entry?.pricing) return null
  const input = entry.audioInput ?? entry.pricing.input
  return { kind: 'tokens', pricing: { ...entry.pricing, input, tiers: [] } }
}

export function priceAudio(
  audio: AudioPricing,
  { seconds, tokens, isEstimate }: AudioUsage,
): AudioCost | null {
  if (audio.kind === 'tokens') {
    const { amount, unitPrices, source } = priceUsage(audio.pricing, {
      ...tokens,
      cacheRead: 0,
      cacheWrite: 0,
    })
    return { amount, unitCost: unitPrices, source: isEstimate ? 'estimate' : source }
  }
  if (seconds === null) return null
  const amount = ((Math.ceil(seconds) / SECONDS_PER_HOUR) * audio.price).toFixed(6)
  return { amount, unitCost: { audioHour: audio.price }, source: 'table' }
}

const SECONDS_PER_HOUR = 3600
const CHARACTERS_PER_TOKEN = 4

/** OpenAI's models count 10 tokens of audio per second, and people speak about 3 words. Rounded up. */
export const estimateHeard = (seconds: number): AudioTokens => ({
  input: Math.ceil(seconds * 12),
  output: Math.ceil(seconds * 6),
})

/** A voice speaks about 15 characters per second, which OpenAI's models count as 20 tokens. */
export const estimateSpoken = (characters: number): AudioTokens => ({
  input: Math.ceil(characters / CHARACTERS_PER_TOKEN),
  output: Math.ceil(characters * 1.4),
})
