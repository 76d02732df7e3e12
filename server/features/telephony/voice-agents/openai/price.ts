/** In millionths of a US dollar per minute: audio in both directions, from the price list of OpenAI in 2026, rounded up. */
const PER_MINUTE = 300_000

/** An estimate, per minute that has begun. */
export const priceOf = (seconds: number): string =>
  ((PER_MINUTE * Math.ceil(seconds / 60)) / 1_000_000).toFixed(6)
