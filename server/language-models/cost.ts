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

/** Null if the provider sends no total of the input or of the output: the cost of the call is then unknown. */
export function usageOf({ inputTokens, outputTokens }: ProviderUsage): TokenUsage | null {
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
  /** US dollars with twelve decimals, exact. */
  amount: string
  /** The prices that were applied, for the ledger. */
  unitPrices: UnitPrices
  source: Pricing['source']
}

/** The cost of a call. With the tokens of its input and the limit of its output, it is the maximum before the call. */
export function costOf(pricing: Pricing, usage: Omit<TokenUsage, 'reasoning'>): Cost {
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

/** `price` is in US dollars per million tokens; one of these is a million picodollars per token. */
const toPicodollars = (tokens: number, price: number) => BigInt(tokens) * BigInt(Math.round(price * 1e6))

function decimal(picodollars: bigint): string {
  const digits = picodollars.toString().padStart(13, '0')
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`
}

/** A count from a provider as a whole number that is not negative; 0 for other values. */
const toTokenCount = (value: number | undefined) =>
  value !== undefined && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0
