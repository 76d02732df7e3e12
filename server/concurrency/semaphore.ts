/** Runs at most `permits` tasks at once; the others wait in first-in, first-out order. */
export function createSemaphore(permits: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function withPermit<T>(task: () => Promise<T>): Promise<T> {
    if (running >= permits) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
