import { LOCALE, t } from '../../contract/text.ts'

const cents = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' })
const small = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  maximumSignificantDigits: 2,
  maximumFractionDigits: 6,
})

/** Typed in the page's language; the API takes a decimal point. Returns anything else unchanged. */
export function parseAmount(typed: string, locale: string = LOCALE): string {
  const text = typed.trim()
  return locale === 'de' && /^\d{1,3}(\.?\d{3})*,\d+$/.test(text)
    ? text.replaceAll('.', '').replace(',', '.')
    : text
}

/** For a field: `50.000000` becomes `50.00`; keeps further nonzero decimals. */
export function editableAmount(amount: string): string {
  const short = amount.replace(/(\.\d\d\d*?)0+$/, '$1')
  return LOCALE === 'de' ? short.replace('.', ',') : short
}

/** Two digits below one cent. */
export function formatCost({ amount }: { amount: string }): string {
  const value = Number(amount)
  return value > 0 && value < 0.01 ? small.format(value) : cents.format(value)
}

/** Of model calls. A dash for zero: an unpriced call isn't free. */
export const formatRunCost = (cost: { amount: string }): string =>
  isCostKnown(cost) ? formatCost(cost) : '–'

export const runCostTitle = (cost: { amount: string; currency: string }): string =>
  isCostKnown(cost) ? `${cost.amount} ${cost.currency}` : t`Free, or no known price`

export const isCostKnown = ({ amount }: { amount: string }): boolean => Number(amount) > 0

/** In any currency, with the amount's own decimals: `€12.50`. */
export function formatMoney(amount: string, currency: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(Number(amount))
}

const decimal = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** `4.2` */
export const formatDecimal = (value: number): string => decimal.format(value)

/** `340 ms`, `4.2 s`, `1 min 5 s`, `2 h 3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${formatDecimal(seconds)} s`
  const whole = Math.round(seconds)
  if (whole < 3600) return joinUnits(Math.floor(whole / 60), 'min', whole % 60, 's')
  const minutes = Math.round(whole / 60)
  return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

const joinUnits = (large: number, unit: string, rest: number, restUnit: string) =>
  rest === 0 ? `${large} ${unit}` : `${large} ${unit} ${rest} ${restUnit}`

const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })

/** `950`, `12.3K`. */
export const formatTokens = (count: number): string => compact.format(count)

const price = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 0,
  maximumFractionDigits: 4,
})

/** Per million tokens: `$0.25`, `$10`. */
export const priceLabel = (dollars: number): string => price.format(dollars)

const percent = new Intl.NumberFormat(LOCALE, { style: 'percent' })

/** `42%`, `<1%`. */
export const formatPercent = (share: number): string =>
  share > 0 && share < 0.01 ? `<${percent.format(0.01)}` : percent.format(share)

const SIZES = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const
const short = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })

/** `419 bytes`, `1.2 MB`, `51 KB`. */
export function formatSize(bytes: number): string {
  const { value, unit } = scaleBytes(bytes)
  if (unit > 0) return `${value} ${SIZES[unit]}`
  return value === '1' ? t`1 byte` : t`${value} bytes`
}

/** `419 B/s`, `1.2 MB/s`. */
export function formatRate(bytesPerSecond: number): string {
  const { value, unit } = scaleBytes(bytesPerSecond)
  return `${value} ${unit > 0 ? SIZES[unit] : 'B'}/s`
}

function scaleBytes(bytes: number): { value: string; unit: number } {
  let value = Math.round(bytes)
  let unit = 0
  while (value >= 1000 && unit < SIZES.length - 1) {
    value /= 1024
    unit++
  }
  return { value: short.format(value < 10 ? value : Math.round(value)), unit }
}

/** In the largest unit that fits: `42 s`, `5 min`, `2 h`. */
export function formatRemaining(seconds: number): string {
  if (seconds < 1.5) return '1 s'
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  if (seconds < 3570) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}
