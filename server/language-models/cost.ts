import type { Pricing, UnitPrices } from './prices.ts'

/** `input` includes cached input, `output` includes reasoning. */
export interface TokenUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
}

interface ProviderUsage {
  inputTokens: Record<'total' | 'cacheRead' | 'cacheWrite', number | undefined>
  outputTokens: Record<'total' | 'reasoning', number | undefined>
}

/** Null if the provider omits a total, which makes the cost unknown. */
export function toTokenUsage({ inputTokens, outputTokens }: ProviderUsage): TokenUsage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null
  return {
    input: toTokenCount(inputTokens.total),
    output: toTokenCount(outputTokens.total),
    cacheRead: toTokenCount(inputTokens.cacheRead),
    cacheWrite: toTokenCount(inputTokens.cacheWrite),
    reasoning: toTokenCount(outputTokens.reasoning),
  }
}

interface Cost {
  /** US dollars, exact to twelve decimals. */
  amount: string
  unitPrices: UnitPrices
  source: Pricing['source']
}

/** With the input tokens and output limit, the maximum before the call. */
export function priceUsage(pricing: Pricing, usage: Omit<TokenUsage, 'reasoning'>): Cost {
  const { input, output, cacheRead, cacheWrite } = tierFor(pricing, usage.input)
  const cachedTokens = Math.min(usage.input, usage.cacheRead + usage.cacheWrite)
  const readTokens = Math.min(usage.cacheRead, cachedTokens)
  const picodollars =
    toPicodollars(usage.input - cachedTokens, input) +
    toPicodollars(readTokens, cacheRead ?? input) +
    toPicodollars(cachedTokens - readTokens, cacheWrite ?? input) +
    toPicodollars(usage.output, output)
  return {
    amount: decimal(picodollars),
    unitPrices: { input, output, cacheRead, cacheWrite },
    source: pricing.source,
  }
}

const tierFor = ({ tiers, ...base }: Pricing, inputTokens: number): UnitPrices =>
  tiers.findLast(({ above }) => inputTokens > above) ?? base

/** `price`: US dollars per million tokens, which is a million picodollars per token. */
const toPicodollars = (tokens: number, price: number) => BigInt(tokens) * BigInt(Math.round(price * 1e6))

function decimal(picodollars: bigint): string {
  const digits = picodollars.toString().padStart(13, '0')
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`
}

const toTokenCount = (value: number | undefined) =>
  value !== undefined && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0
