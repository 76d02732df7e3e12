/** Millionths of a US dollar per minute: a high estimate for audio in both directions. */
const PER_MINUTE = 300_000

/** An estimate, per minute that has begun. */
export const priceOf = (seconds: number): string =>
  ((PER_MINUTE * Math.ceil(seconds / 60)) / 1_000_000).toFixed(6)
