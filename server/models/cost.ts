import type { Pricing, UnitPrices } from './prices.ts'

/** The tokens of a call. `input` includes cached input, `output` includes reasoning. */
export interface TokenUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
}

/** The counts of a provider, as the SDK passes them on. */
interface ProviderUsage {
  inputTokens: Record<'total' | 'cacheRead' | 'cacheWrite', number | undefined>
  outputTokens: Record<'total' | 'reasoning', number | undefined>
}

/** Null if the provider sends no counts: the cost of the call is then unknown. */
export function usageOf({ inputTokens, outputTokens }: ProviderUsage): TokenUsage | null {
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null
  return {
    input: count(inputTokens.total),
    output: count(outputTokens.total),
    cacheRead: count(inputTokens.cacheRead),
    cacheWrite: count(inputTokens.cacheWrite),
    reasoning: count(outputTokens.reasoning),
  }
}

export interface Cost {
  /** US dollars with twelve decimals, exact. */
  amount: string
  /** The prices that were applied, for the ledger. */
  unitPrices: UnitPrices
  source: Pricing['source']
}

/** The cost of a call; with its input and the limit of its output, the most that it can cost. */
export function costOf(pricing: Pricing, usage: Omit<TokenUsage, 'reasoning'>): Cost {
  const { input, output, cacheRead, cacheWrite } = tierFor(pricing, usage.input)
  const cachedTokens = Math.min(usage.input, usage.cacheRead + usage.cacheWrite)
  const readTokens = Math.min(usage.cacheRead, cachedTokens)
  const picodollars =
    times(usage.input - cachedTokens, input) +
    times(readTokens, cacheRead ?? input) +
    times(cachedTokens - readTokens, cacheWrite ?? input) +
    times(usage.output, output)
  return {
    amount: decimal(picodollars),
    unitPrices: { input, output, cacheRead, cacheWrite },
    source: pricing.source,
  }
}

const tierFor = ({ tiers, ...base }: Pricing, inputTokens: number): UnitPrices =>
  tiers.findLast(({ above }) => inputTokens > above) ?? base

/** Dollars per million tokens are millionths of a dollar per token, here in millionths of those. */
const times = (tokens: number, price: number) => BigInt(tokens) * BigInt(Math.round(price * 1e6))

function decimal(picodollars: bigint): string {
  const digits = picodollars.toString().padStart(13, '0')
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`
}

/** A count from a provider as a whole number that is not negative; 0 for other values. */
const count = (value: number | undefined) =>
  value !== undefined && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0
