interface RateLimit {
  perSecond: number
  burst: number
  now?: () => number
}

/** Above this, all buckets are dropped and start full again. */
const KEYS_MAX = 1000

/** In process memory only: it protects the process, not a quota. */
export function createLocalRateLimit({ perSecond, burst, now = Date.now }: RateLimit) {
  const buckets = new Map<string, { tokens: number; at: number }>()
  return {
    /** False if empty. */
    tryAcquire(key: string): boolean {
      const at = now()
      const bucket = buckets.get(key) ?? { tokens: burst, at }
      const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond)
      if (buckets.size >= KEYS_MAX && !buckets.has(key)) buckets.clear()
      buckets.set(key, { tokens: Math.max(tokens - 1, 0), at })
      return tokens >= 1
    },
  }
}
