/** Amounts are decimal strings with up to six decimals; sums and comparisons of them are exact in millionths. */
export function toMicros(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(`${whole}${fraction.slice(0, 6).padEnd(6, '0')}`)
}

/** Rounds up to the next millionth: rounding must not let spending exceed a limit. */
export function toMicrosUp(amount: string): bigint {
  const hasMore = /[1-9]/.test(amount.split('.')[1]?.slice(6) ?? '')
  return toMicros(amount) + (hasMore ? 1n : 0n)
}

export function fromMicros(micros: bigint): string {
  const sign = micros < 0n ? '-' : ''
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0')
  return `${sign}${digits.slice(0, -6)}.${digits.slice(-6)}`
}
