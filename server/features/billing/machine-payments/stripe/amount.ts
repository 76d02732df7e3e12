/** The currencies without a smaller unit at Stripe. */
const ZERO_DECIMAL = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
/** Amounts in thousandths, which Stripe accepts in multiples of ten only. */
const THREE_DECIMAL = new Set('bhd jod kwd omr tnd'.split(' '))
/** Amounts in hundredths, although only whole ones can be paid. */
const WHOLE_HUNDREDTHS = new Set(['isk', 'ugx'])

/**
 * The amount as the whole number that Stripe expects; null if it has too many decimals. A wrong unit would charge a
 * hundred times as much.
 */
export function toStripeAmount(amount: string, currency: string): string | null {
  const decimals = ZERO_DECIMAL.has(currency) ? 0 : THREE_DECIMAL.has(currency) ? 3 : 2
  const [whole, fraction = ''] = amount.split('.')
  const significant = fraction.replace(/0+$/, '')
  const payable = WHOLE_HUNDREDTHS.has(currency) ? 0 : Math.min(decimals, 2)
  if (significant.length > payable) return null
  return `${whole}${significant.padEnd(decimals, '0')}`.replace(/^0+(?=\d)/, '')
}
