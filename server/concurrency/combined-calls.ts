interface Options<Item, Result> {
  /** Runs the items of one batch. Each has a result of its own; if it rejects, every call of the batch does. */
  run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>
  /** How many items a batch has at most. */
  batchMax: number
}

interface Call<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item
}

/**
 * Combines calls with one key: calls that arrive while a batch runs wait for its end and form the next one. A call that
 * is alone waits for nothing.
 */
export function createCombinedCalls<Item, Result>({ run, batchMax }: Options<Item, Result>) {
  /** The calls that wait, for each key that has a running batch. */
  const waiting = new Map<string, Call<Item, Result>[]>()

  async function runAll(key: string, calls: Call<Item, Result>[]): Promise<void> {
    while (calls.length > 0) {
      const batch = calls.splice(0, batchMax)
      try {
        const results = await run(batch.map(({ item }) => item))
        for (const [index, result] of results.entries())
          if (result.status === 'fulfilled') batch[index]!.resolve(result.value)
          else batch[index]!.reject(result.reason)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    waiting.delete(key)
  }

  return {
    add(key: string, item: Item): Promise<Result> {
      const call = { item, ...Promise.withResolvers<Result>() }
      const others = waiting.get(key)
      if (others) others.push(call)
      else {
        const calls = [call]
        waiting.set(key, calls)
        void runAll(key, calls)
      }
      return call.promise
    },
    waitingOf: (key: string): number => waiting.get(key)?.length ?? 0,
  }
}
