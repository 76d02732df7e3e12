/** Lets at most so many pieces of work run at once; the others wait in the order they came. */
export function createTurns(atOnceMax: number) {
  const waiting: (() => void)[] = []
  let running = 0

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
