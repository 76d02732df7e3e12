/** In millionths of a US dollar per minute: a rough estimate for audio in both directions, on the high side. */
const PER_MINUTE = 300_000

/** An estimate, per minute that has begun. */
export const priceOf = (seconds: number): string =>
  ((PER_MINUTE * Math.ceil(seconds / 60)) / 1_000_000).toFixed(6)
