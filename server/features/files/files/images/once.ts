/** The first call does the work, and all get its result. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}
