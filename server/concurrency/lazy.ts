/** Computes a value on first use and caches it, so that rarely read values do not delay startup. */
export function lazy<T>(compute: () => T): () => T {
  let cached: { value: T } | undefined
  return () => {
    cached ??= { value: compute() }
    return cached.value
  }
}
